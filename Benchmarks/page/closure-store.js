// @ts-check

/**
 * A handwritten store without a library: closures around a variable and a list of subscribers.
 * @template Value
 * @param {Value} value
 */
function makeStore(value) {
  /** @type {(() => void)[]} */
  const subscribers = [];
  return {
    get: () => value,
    /** @param {Value} newValue */
    set(newValue) {
      value = newValue;
      for (const subscriber of subscribers) subscriber();
    },
    /** @param {() => void} subscriber */
    subscribe(subscriber) {
      subscribers.push(subscriber);
      return () => void subscribers.splice(subscribers.indexOf(subscriber), 1);
    },
  };
}

/**
 * The same in the style of zustand 5: the subscribers are in a `Set`, and receive both states.
 * @template Value
 * @param {Value} state
 */
function makeSetStore(state) {
  /** @type {Set<(state: Value, former: Value) => void>} */
  const subscribers = new Set();
  return {
    get: () => state,
    /** @param {Value} newState */
    set(newState) {
      if (Object.is(newState, state)) return;
      const former = state;
      state = newState;
      subscribers.forEach((subscriber) => subscriber(state, former));
    },
    /** @param {(state: Value, former: Value) => void} subscriber */
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
  };
}

/** The baselines of programs in a page. */
export const workloads = [
  sets("JavaScript closure store, no subscriber", 0, useOtherStores),
  sets("JavaScript closure store, 1 subscriber", 1, useOtherStores),
  sets("JavaScript closure store, per subscriber of 10,000", 10_000, useOtherStores),
  sets("JavaScript set store, per subscriber of 10,000", 10_000, useOtherStores, makeSetStore),
  sets("the page's only closure store, 1 subscriber", 1),
  sets("the page's only closure store, per subscriber of 10,000", 10_000),
];

/**
 * Uses a store like a page that shares more than a number, and shows it in several ways.
 * @param {typeof makeStore | typeof makeSetStore} make
 */
function useOtherStores(make) {
  const [name, list, flag, size] = [make(""), make([0]), make(false), make(0.5)];
  const shown = { name: "", list: [0], isOn: false, size: 0 };
  name.subscribe(() => shown.name = name.get().trim());
  list.subscribe(() => shown.list = list.get().slice());
  flag.subscribe(() => shown.isOn = !flag.get());
  size.subscribe(() => shown.size = Math.round(size.get()));
  for (let count = 0; count < 10_000; count++) {
    name.set(`${count}`);
    list.set([count]);
    flag.set(count % 2 === 0);
    size.set(count / 2);
  }
}

/**
 * @param {string} name
 * @param {number} subscribers
 * @param {(make: typeof makeStore | typeof makeSetStore) => void} before
 * @param {typeof makeStore | typeof makeSetStore} make
 */
function sets(name, subscribers, before = () => {}, make = makeStore) {
  return {
    name,
    operations: Math.max(1, subscribers),
    prepare() {
      before(make);
      const store = make(0);
      for (let count = 0; count < subscribers; count++) {
        let _seen = 0;
        store.subscribe(() => {
          _seen = store.get();
        });
      }
      return (/** @type {number} */ iterations) => {
        for (let count = 0; count < iterations; count++) store.set(store.get() + 1);
      };
    },
  };
}
