// @ts-check

/**
 * What one writes by hand without a library: closures around a variable and a list of subscribers.
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

/** What a program is measured against in a page. */
export const workloads = [
  sets("JavaScript closure store, no subscriber", 0),
  sets("JavaScript closure store, 1 subscriber", 1),
  sets("JavaScript closure store, per subscriber of 10,000", 10_000),
];

/**
 * @param {string} name
 * @param {number} subscribers
 */
function sets(name, subscribers) {
  return {
    name,
    operations: Math.max(1, subscribers),
    prepare() {
      const store = makeStore(0);
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
