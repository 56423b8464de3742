// @ts-check
// @ts-self-types="./nats.d.ts"

import { bucketOf } from "./nats/bucket.js";
import { connectTo } from "./nats/connection.js";
import { answer, plain, stepOf } from "./nats/records.js";

export { household } from "./nats/household.js";

export const nats = (options, window = globalThis) => {
  const known = new Map(), bases = new Map();
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

  // A record with a revision that grows, also where those of the bucket begin again: then a base is
  // added to them, above all before.
  const based = (record, base = bases.get(record.key) ?? 0) => (
    { ...record, base, revision: record.revision + base }
  );

  // Whether a bucket that has had the known record cannot have this one as its last.
  const contradicts = ({ base, revision, text }, last) =>
    base === last?.base &&
    (revision < last.revision || revision === last.revision && text !== last.text);

  // The bucket was made anew or restored, without the known record.
  const beginAnew = ({ key, base, revision }) => {
    if ((bases.get(key) ?? 0) !== base) return;
    bases.set(key, revision + 1);
    known.delete(key);
  };

  // A known record where it is new enough, or one that is read. A replica may be behind.
  const get = async (key, enough, least) => {
    let read;
    for (let tries = 40; tries--;) {
      const last = known.get(key);
      if (last?.revision >= enough) return last;
      read = await bucket.read(key);
      const record = read && based(read);
      const isOld = record?.revision < least || record && contradicts(record, known.get(key));
      if (record && !isOld) return remember(record);
      await sleep(50);
      if (bucket.isMissing()) break;
    }
    const last = known.get(key);
    if (!read || !contradicts(based(read), last)) throw bucket.failure();
    beginAnew(last);
    const record = remember(based(read));
    // A copy in a restored bucket is no new loss.
    if (!key.endsWith(".replaced")) tell(onChange, [plain(record)]);
    return record;
  };

  const put = async (key, text, seen, head) => {
    const { seq, least } = await bucket.write(key, { seen, text }, head);
    return seq ? remember(based({ key, revision: seq, text, seen })) : { least };
  };

  // Reads a key, which is followed from now on.
  const load = async (key) => {
    const last = bucket.follower(key);
    const follower = last && !last.error ? last : bucket.begin(
      key,
      (heard, isFirst) => {
        const { error } = follower, last = known.get(key), record = based(heard);
        follower.error = null;
        if (contradicts(record, last)) {
          // A later message can be older than the answer to an own commit, but not the first one.
          if (isFirst) get(key).catch(() => {});
        } else if (error || !(record.revision <= last?.revision)) {
          remember(record);
          if (!follower.loads) tell(onChange, [plain(record)]);
        }
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

  // Commits the steps of one value, on top of its stored record. Before it, stores the records that
  // `rebase` adds: copies in place of any record, and lists on top of their stored records.
  const store = async ({ key, expected }, { client, after, through, entries }, rebase) => {
    const keys = [key], least = new Map(), own = [client, through];

    // Without success, the next record that is read has to be newer.
    const replace = async (record, text) => {
      const { key, base, revision, seen } = record;
      const stored = await put(
        key,
        text,
        [own, ...seen.filter(([id]) => id !== client).slice(0, 63)], // of 64 clients
        `NATS/1.0\r\nNats-Expected-Last-Subject-Sequence: ${revision - base}\r\n\r\n`,
      );
      if (stored.key) return stored;
      const next = base + +(stored.least ?? revision - base + 1);
      least.set(key, next < revision ? beginAnew(record) : next);
    };

    for (let losses = 0;; losses++) {
      const enough = (each) => least.get(each) ?? (each === key ? expected : -1);
      const find = (each) => get(each, enough(each), least.get(each));
      const records = await Promise.all(keys.map(find)), [record] = records;
      const step = stepOf(record, client), applied = step ?? after;
      if (step >= through) return [record];
      const fits = applied === after && expected === record.revision;
      const made = fits ? entries : rebase(records.map(plain), applied);
      const copies = made.filter(({ expected }) => expected === null);
      const lists = fits ? [] : made.filter((each) => each.key !== key && !copies.includes(each));
      const unknown = lists.map(({ key }) => key).filter((key) => !keys.includes(key));
      keys.push(...unknown);
      if (unknown.length) continue;
      const others = [];
      for (const { key, text } of copies) others.push(await put(key, text, [own]));
      for (const { key, text } of lists) {
        others.push(await replace(records[keys.indexOf(key)], text));
      }
      const { text } = made.find((each) => each.key === key) ?? record;
      const stored = others.every(Boolean) && await replace(record, text);
      if (stored) return [stored, ...others];
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

    status: connection.status,
    close: connection.close,
  };
};
