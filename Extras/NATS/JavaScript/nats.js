// @ts-check
// @ts-self-types="./nats.d.ts"

import { bucketOf } from "./nats/bucket.js";
import { connectTo, failure } from "./nats/connection.js";
import { answer, plain, recordOf, stepOf, tokenOf } from "./nats/records.js";

const nothing = new Uint8Array();

export const nats = (options, window = globalThis) => {
  const known = new Map();
  let onChange, onFailure;

  const sleep = (time) => new Promise((resolve) => window.setTimeout(resolve, time));
  const tell = (listener, what) => listener && window.queueMicrotask(() => listener(what));

  const connection = connectTo(options, window, {
    ready() {
      bucket.followAll();
      tell(onChange, []); // pending changes are committed
    },
    tick: (now) => bucket.followLate(now),
  });
  const bucket = bucketOf(options, connection);

  const remember = (record) => {
    const last = known.get(record.key);
    if (record.revision < last?.revision) return last;
    known.set(record.key, record);
    return record;
  };

  // A known record where it is new enough, or one that is read. A replica may be behind.
  const get = async (key, enough, least) => {
    let record;
    for (let tries = 40; tries--;) {
      const last = known.get(key);
      if (last?.revision >= enough) return last;
      record = await bucket.read(key);
      const isOld = record?.revision < least || record?.revision < known.get(key)?.revision;
      if (record && !isOld) return remember(record);
      await sleep(50);
      if (bucket.isMissing()) break;
    }
    if (record) known.delete(key); // or the bucket was made anew: the next read is accepted
    throw bucket.failure();
  };

  const put = async (key, text, seen, head) => {
    const { seq, least } = await bucket.write(key, { seen, text }, head);
    return seq ? remember({ key, revision: seq, text, seen }) : { least };
  };

  // Reads a key, which is followed from now on.
  const load = async (key) => {
    const token = tokenOf(key), last = bucket.follower(token);
    const follower = last && !last.error ? last : bucket.begin(
      token,
      token,
      ([record = recordOf(key, 0, nothing)]) => {
        if (record.revision <= known.get(key)?.revision && !follower.error) return;
        follower.error = null;
        record = remember(record);
        if (!follower.loads) tell(onChange, [plain(record)]);
      },
      (error) => follower.loads || onFailure?.(error, key),
    );
    follower.loads++;
    try {
      const record = await get(key);
      if (follower.error) throw follower.error;
      return record;
    } finally {
      follower.loads--;
    }
  };

  // Commits the steps of one value, on top of its stored record.
  const store = async ({ key, expected }, { client, after, through, entries }, rebase) => {
    for (let least = expected, losses = 0;; losses++) {
      const record = await get(key, least, losses && least), { revision, seen } = record;
      const step = stepOf(record, client), applied = step ?? after;
      if (step >= through) return [record];
      const fits = applied === after && expected === revision;
      const made = fits ? entries : rebase([plain(record)], applied);
      const own = [client, through], copies = [];
      for (const { key, expected, text } of made) {
        if (expected === null) copies.push(await put(key, text, [own]));
      }
      const { text } = made.find((each) => each.key === key) ?? record;
      const stored = await put(
        key,
        text,
        [own, ...seen.filter(([id]) => id !== client).slice(0, 63)], // of 64 clients
        `NATS/1.0\r\nNats-Expected-Last-Subject-Sequence: ${revision}\r\n\r\n`,
      );
      if (stored.key) return [stored, ...copies];
      least = +(stored.least ?? revision + 1);
      if (least < revision) known.delete(key); // the bucket was made anew
      if (losses > 3) await sleep(Math.random() * 20);
    }
  };

  return {
    load: async (keys, client) => answer(await Promise.all(keys.map(load)), client),

    async commit(commit, rebase) {
      const { client, through, entries } = commit, records = [];
      const values = entries.filter(({ expected }) => expected !== null);
      for (const entry of values) records.push(...await store(entry, commit, rebase));
      // Copies alone; else those of a value are stored before it.
      for (const { key, text } of values.length ? [] : entries) {
        records.push(await put(key, text, [[client, through]]));
      }
      return answer(records, client, through);
    },

    watch(...listeners) {
      [onChange, onFailure] = listeners;
      listeners[2]?.addEventListener("abort", () => {
        if (onChange === listeners[0]) onChange = onFailure = undefined;
      });
    },

    list: (prefix, onListing, signal, onFailure) =>
      new Promise((resolve, reject) => {
        let late; // once all is told
        signal?.throwIfAborted();
        const filter = tokenOf(prefix + "x").slice(0, -1) + ">";
        if (!/(^|\.)>$/.test(filter)) {
          throw failure(`"${prefix}" does not end with a dot.`, "Prefix");
        }
        const follower = bucket.begin({}, filter, (records, pending) => {
          follower.error = null;
          const { first } = follower, all = first ?? records;
          first?.push(...records);
          if (first && pending) return;
          follower.first = null;
          window.queueMicrotask(() => signal?.aborted || onListing(all.map(plain), !!first));
          resolve(undefined);
          late = onFailure;
        }, (error) => {
          reject(error);
          late?.(error);
        });
        signal?.addEventListener("abort", () => {
          bucket.end(follower);
          reject(signal.reason);
        });
      }),

    status: connection.status,
    close: connection.close,
  };
};
