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

  // Asks for the records of keys; gives them once a later request is answered, as all are in turn.
  const find = (values, keys) => {
    const requests = keys.map((key) => values.get(key));
    return () => requests.map(({ result }, at) => ({ key: keys[at], ...record(result) }));
  };

  window.addEventListener("pagehide", () => {
    isAway = true;
    abortAll(); // in the cache they would block all
  });
  window.addEventListener("pageshow", () => isAway = false);

  return {
    load: (keys, client) =>
      transaction("readonly", (values, clients, give) => {
        const stored = find(values, keys);
        clients.get(client).onsuccess = ({ target: { result: applied = null } }) =>
          give({ stored: stored(), applied });
      }),

    commit: ({ client, after, through, entries }, rebase) =>
      transaction("readwrite", (values, clients, give, fail) => {
        const stored = find(values, entries.map(({ key }) => key));
        clients.get(client).onsuccess = ({ target: { result: applied = after } }) => {
          const found = stored();
          if (applied >= through) return give({ stored: found, applied });
          const fits = ({ expected }, at) => expected === null || expected === found[at].revision;
          try {
            if (applied !== after || !entries.every(fits)) entries = rebase(found, applied);
            for (const { revision } of found) last = Math.max(last, revision || 0);
            const changed = entries.map(({ key, text }) => {
              last = Math.max(last + 1, Date.now());
              values.put({ revision: last, text }, key);
              return { key, revision: last, text };
            });
            clients.put(through, client);
            give({ stored: changed, applied: through });
          } catch (error) {
            fail(error);
          }
        };
      }).then((answer) => {
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
