// @ts-check
// What programs do with a store.

export const RUN = Math.random().toString(36).slice(2);
let last = 0;

// A name that nothing else in the store has.
export const unique = (word) => `${word} ${RUN} ${++last}`;

export const entry = (key, expected, text) => ({ key, expected, text });

export const load = async (engine, key) => (await engine.load([key], unique("nobody"))).stored[0];

/** @type {(...given: any) => any} */
export const notAgain = () => {
  throw { name: "RebaseError", message: "The test allows no rebase." };
};

export const commit = (engine, client, after, through, entries, rebase = notAgain) =>
  engine.commit({ client, after, through, entries }, rebase);

// Stores a text under a key, as a client of its own; returns what is stored.
export const put = async (engine, key, text) => {
  const { revision } = await load(engine, key);
  const { stored } = await commit(engine, unique("put"), 0, 1, [entry(key, revision, text)]);
  return stored[0];
};

export const isSame = (one, other) =>
  one.key === other.key && one.revision === other.revision && one.text === other.text;

export const isThrown = async (promise) => {
  try {
    await promise;
    return false;
  } catch {
    return true;
  }
};

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export const until = async (isDone, patience) => {
  for (const end = Date.now() + patience; !isDone() && Date.now() < end;) await pause(5);
  return isDone();
};

export const count = async (engine, key, times) => {
  const client = unique("counter");
  const next = ({ revision, text }) => entry(key, revision, "" + (+text + 1));
  let base = await load(engine, key);
  for (let step = 0; step < times; step++) {
    const rebase = (stored) => [next(stored.find((each) => each.key === key))];
    const { stored } = await commit(engine, client, step, step + 1, [next(base)], rebase);
    base = stored.find((each) => each.key === key);
  }
};
