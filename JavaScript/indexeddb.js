// @ts-check
// @ts-self-types="./indexeddb.d.ts"
// The engine of .indexedDB keys; indexeddb.d.ts documents it.

const patience = 20_000; // milliseconds that an answer may take
const clientCount = 64; // whose last steps a record has

const isText = (value) => typeof value === "string";
const isRecord = (value) =>
  Number.isSafeInteger(value?.revision) && (value.text === null || isText(value.text));

export const indexedDB = (window, appName) => {
  const place = appName ? `sharing/${appName}` : "sharing"; // of the database, and of the channel
  /** @type {Set<IDBTransaction>} the transactions under way */
  const open = new Set();
  let lastRevision = 0;
  /** @type {any} the channel to other tabs, null while the page is left; and the open database */
  let channel, opening;
  /** @type {any} the stored records of the transaction that ends now */
  let ending;
  /** @type {any} the functions that `watch` was given */
  let hear, miss;

  const abortAll = () => {
    for (const each of open) {
      open.delete(each); // a second time, it would throw
      each.abort();
    }
  };

  // As a new Promise; rejects, too, if it is not settled for too long.
  const promise = (body) => {
    let timer;
    return new Promise((resolve, reject) => {
      timer = window.setTimeout(() => {
        reject({ message: "It does not answer." });
        abortAll();
      }, patience);
      body(resolve, reject);
    }).finally(() => window.clearTimeout(timer));
  };

  const database = () =>
    opening ??= promise((resolve, reject) => {
      if (!window.indexedDB) throw { message: "This browser has no IndexedDB." };
      const request = window.indexedDB.open(place, 1);
      request.onupgradeneeded = () => request.result.createObjectStore("values");
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const { result } = request;
        result.onversionchange = result.onclose = () => {
          result.close();
          opening = null;
        };
        resolve(result);
      };
    }).catch((error) => {
      opening = null;
      throw error;
    });

  // Calls `run` with the store; the answer that it gives is the result once it is stored.
  const transaction = async (mode, run, isAgain) => {
    const opened = await database();
    try {
      return await promise((resolve, reject) => {
        // In a page that is left, a transaction would block those of all tabs.
        if (!channel) throw { name: "AbortError" };
        const begun = opened.transaction("values", mode, { durability: "relaxed" });
        open.add(begun);
        begun.onabort = () => {
          open.delete(begun);
          reject(begun.error ?? { name: "AbortError" });
        };
        const give = (result) => {
          if (mode === "readwrite") ending = result.stored;
          begun.oncomplete = () => {
            resolve(result);
            if (mode === "readonly") return;
            ending = null; // no other one has begun before this
            // Also of records that were stored before, or that came too late for the answer.
            channel?.postMessage(result.stored);
          };
          open.delete(begun); // it ends by itself
          begun.commit?.();
        };
        const fail = (error) => {
          reject(error);
          open.delete(begun);
          begun.abort();
        };
        run(begun.objectStore("values"), give, fail);
      });
    } catch (error) {
      // Browsers close a database, for example when a visitor clears the site's data: reopen it.
      if (isAgain || error?.["name"] !== "InvalidStateError") throw error;
      opening = null;
      return transaction(mode, run, true);
    }
  };

  // Another thing than a record becomes a text that does not decode: it is reported, and kept.
  // `seen` has the last steps of the 64 clients that have stored last, the latest first.
  const record = (key, found = { revision: 0, text: null }) =>
    isRecord(found)
      ? { key, ...found }
      : { key, revision: 0, text: "No record: " + JSON.stringify(found) };

  const stepOf = (seen, client) => seen && Object.hasOwn(seen, client) ? seen[client] : 0;

  // Calls `take` with the records of keys, and the client's last step that one of them has in it.
  const find = (values, keys, client, take) => {
    const requests = keys.map((key) => values.get(key));
    const all = () => {
      const found = requests.map(({ result }, at) => record(keys[at], result));
      take(found, Math.max(0, ...found.map(({ seen }) => stepOf(seen, client))));
    };
    if (!keys.length) all();
    else requests.at(-1).onsuccess = all; // the answers come in the order of the requests
  };

  const load = (keys, client) =>
    transaction(
      "readonly",
      (values, give) =>
        find(values, keys, client, (stored, step) => give({ stored, applied: step || null })),
    );

  // A message has stored records, or the keys that its sender may have stored when it was left.
  // Others, such as those of another version, are ignored.
  const meet = () => {
    channel = new window.BroadcastChannel(place);
    channel.onmessage = ({ data }) => {
      const all = [data].flat();
      const keys = all.filter(isText);
      const stored = all.filter((each) => isRecord(each) && isText(each.key));
      if (stored.length) hear?.(stored);
      if (keys.length) load(keys).then(({ stored }) => hear?.(stored), () => {});
    };
  };
  meet();

  window.addEventListener("pagehide", () => {
    // A page that browsers keep for the way back must have no transaction, which would block all
    // tabs, and get no message, which would end it.
    abortAll();
    // Other pages read the records whose transaction this page does not see end.
    if (ending) channel?.postMessage(ending.map(({ key }) => key));
    channel?.close();
    channel = null;
  });
  const lookAgain = () =>
    transaction("readonly", (values, give) => {
      values.getAllKeys().onsuccess = ({ target }) => find(values, target.result, "", give);
    }).then(hear, (error) => miss?.(error));

  window.addEventListener("pageshow", () => {
    if (channel) return;
    meet();
    lookAgain();
  });
  // A prerendered page has received no messages until it is shown.
  window.document?.addEventListener("prerenderingchange", lookAgain);

  return {
    load,

    commit: ({ client, after, through, entries }, rebase) =>
      transaction("readwrite", (values, give, fail) => {
        const put = (entries, found) => {
          lastRevision = Math.max(lastRevision, ...found.map(({ revision }) => revision));
          const stored = entries.map(({ key, text }, at) => {
            lastRevision = Math.max(lastRevision + 1, Date.now());
            const own = { [client]: through };
            const steps = Object.entries({ ...own, ...found[at].seen, ...own });
            const seen = Object.fromEntries(steps.slice(0, clientCount));
            const made = { key, revision: lastRevision, text, seen };
            values.put(made, key);
            return made;
          });
          return { stored, applied: through };
        };
        // Stores entries, or those that `rebase` makes, which may have more keys. Revisions grow,
        // also after the clock was set back.
        const attempt = (entries, after) =>
          find(values, entries.map(({ key }) => key), client, (found, step) => {
            const applied = Math.max(after, step);
            if (applied >= through) return give({ stored: found, applied });
            const fits = ({ expected }, at) => expected === null || expected === found[at].revision;
            try {
              if (applied > after || !entries.every(fits)) attempt(rebase(found, applied), applied);
              else give(put(entries, found));
            } catch (error) {
              fail(error);
            }
          });
        attempt(entries, after);
      }),

    watch(onChange, onFailure, signal) {
      hear = onChange;
      miss = onFailure;
      signal?.addEventListener("abort", () => {
        if (hear === onChange) hear = miss = undefined;
      });
    },
  };
};
