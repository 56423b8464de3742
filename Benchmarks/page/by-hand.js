// @ts-check
// A handwritten count in IndexedDB that all tabs add to.

/** @returns {Promise<IDBDatabase>} */
const open = () =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open("by hand", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("counts");
    request.onerror = () => reject(request.error);
    request.onsuccess = () => resolve(request.result);
  });

/** Returns a function that adds to the stored count and returns the committed count. */
export async function makeAdd() {
  const database = await open();
  return (
    /** @type {number} */ more,
  ) => /** @type {Promise<number>} */ (new Promise((resolve, reject) => {
    const transaction = database.transaction("counts", "readwrite", { durability: "relaxed" });
    const counts = transaction.objectStore("counts");
    let count = 0;
    const get = counts.get("tally");
    get.onsuccess = () => {
      count = (get.result ?? 0) + more;
      counts.put(count, "tally");
      transaction.commit();
    };
    transaction.oncomplete = () => resolve(count);
    transaction.onabort = () => reject(transaction.error);
  }));
}

/**
 * A count that shows immediately, survives the end of its tab, and is stored by one transaction at
 * a time: the next transaction stores the additions in between.
 */
export async function makeTally() {
  const add = await makeAdd();
  let pending = 0;
  /** @type {Promise<void> | undefined} */
  let storing;
  const keep = () => {
    if (pending > 0) localStorage.setItem("JavaScript's journal", JSON.stringify({ pending }));
    else localStorage.removeItem("JavaScript's journal");
  };
  const store = async () => {
    while (pending > 0) {
      const stored = pending;
      await add(stored);
      pending -= stored;
      keep();
    }
    storing = undefined;
  };
  return {
    increment() {
      pending++;
      keep();
      storing ??= store();
    },
    isStored: async () => await storing,
  };
}
