// @ts-check
// @ts-self-types="./indexeddb.d.ts"

const NAME = "sharing";

export const indexedDB = (window) => {
  const channel = new window.BroadcastChannel(NAME), open = new Set();
  let opening, isAway, last = 0;

  const abortAll = () => {
    for (const each of open) each.abort();
  };

  // Calls `body` with `resolve` and `reject`; rejects, too, if none is called for too long.
  const promise = (body) =>
    new Promise((resolve, reject) => {
      const timer = window.setTimeout(() => {
        reject({ message: "It does not answer." });
        abortAll();
      }, 20_000);
      const end = (settle) => (result) => {
        window.clearTimeout(timer);
        settle(result);
      };
      try {
        body(end(resolve), end(reject));
      } catch (error) {
        end(reject)(error);
      }
    });

  const database = () =>
    opening ??= promise((resolve, reject) => {
      const request = window.indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => {
        for (const store of ["values", "clients"]) request.result.createObjectStore(store);
      };
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

  // Calls `run` with both stores; the answer that it gives is the result once it is stored.
  const transaction = async (mode, run, isAgain) => {
    const opened = await database();
    try {
      return await promise((resolve, reject) => {
        if (isAway) throw { name: "AbortError", message: "The page is left." };
        const both = opened.transaction(["values", "clients"], mode, { durability: "relaxed" });
        let answer, failure;
        open.add(both);
        both.oncomplete = () => resolve(answer);
        both.onabort = () => {
          open.delete(both);
          reject(failure ?? both.error ?? { name: "AbortError" });
        };
        const give = (result) => {
          answer = result;
          open.delete(both); // it ends by itself
          both.commit?.();
        };
        const fail = (error) => {
          failure = error;
          both.abort();
        };
        run(both.objectStore("values"), both.objectStore("clients"), give, fail);
      });
    } catch (error) {
      if (isAgain || error?.["name"] !== "InvalidStateError") throw error;
      opening = null; // it was closed
      return transaction(mode, run, true);
    }
  };

  // What is no record becomes a text that does not decode: it is told, and kept.
  const record = (found) =>
    typeof found?.revision === "number" && (found.text === null || typeof found.text === "string")
      ? found
      : { revision: 0, text: found === undefined ? null : "No record: " + JSON.stringify(found) };

  const read = (values, clients, keys, client, then) => {
    const stored = [];
    let left = keys.length + 1, applied;
    const next = (_) => --left || then(stored, applied);
    clients.get(client).onsuccess = ({ target }) => next(applied = target.result ?? null);
    keys.forEach((key, at) =>
      values.get(key).onsuccess = ({ target }) =>
        next(stored[at] = { key, ...record(target.result) })
    );
  };

  window.addEventListener("pagehide", () => {
    isAway = true;
    abortAll(); // in the cache they would block all
  });
  window.addEventListener("pageshow", () => isAway = false);

  return {
    load: (keys, client) =>
      transaction(
        "readonly",
        (values, clients, give) =>
          read(values, clients, keys, client, (stored, applied) => give({ stored, applied })),
      ),

    commit: ({ client, after, through, entries }, rebase) =>
      transaction(
        "readwrite",
        (values, clients, give, fail) =>
          read(values, clients, entries.map(({ key }) => key), client, (stored, applied) => {
            if (applied >= through && applied !== null) return give({ stored, applied });
            const revisions = { __proto__: null };
            for (const { key, revision } of stored) revisions[key] = revision;
            const fits = ({ key, expected }) => expected === null || expected === revisions[key];
            try {
              if ((applied ?? after) !== after || !entries.every(fits)) {
                entries = rebase(stored, applied ?? after);
              }
              const changed = entries.map(({ key, text }) => {
                last = Math.max(revisions[key] + 1 || 0, last + 1, Date.now());
                values.put({ revision: last, text }, key);
                return { key, revision: last, text };
              });
              clients.put(through, client);
              give({ stored: changed, applied: through });
            } catch (error) {
              fail(error);
            }
          }),
      ).then((answer) => {
        // Also of what was stored before.
        channel.postMessage(answer.stored);
        return answer;
      }),

    watch(onChange, onFailure) {
      channel.onmessage = ({ data }) => onChange(data);
      window.addEventListener("pageshow", ({ persisted }) => {
        if (!persisted) return;
        transaction("readonly", (values, _, give) => {
          const all = [];
          values.openCursor().onsuccess = ({ target: { result } }) => {
            if (!result) return give(all);
            all.push({ key: result.key, ...record(result.value) });
            result.continue();
          };
        }).then(onChange, (error) => onFailure?.(error));
      });
    },
  };
};
