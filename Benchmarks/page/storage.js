// @ts-check
// Handwritten code that stores values in the page's storage and loads them again.

/** The same as the program's StoredTodo. */
export const makeTodos = () =>
  Array.from({ length: 10_000 }, (_, id) => ({
    id,
    title: `Todo number ${id}`,
    completed: id % 3 === 0,
  }));

/** Stores the list under the name that the program uses. */
export const storeTodos = () => localStorage.setItem("todos", JSON.stringify(makeTodos()));

/** Removes everything except this list: a browser reads all of its storage at once. */
export function tidy() {
  for (const key of Object.keys(localStorage)) if (key !== "todos") localStorage.removeItem(key);
}

/** The baselines of programs that store values. */
export const workloads = [
  {
    name: "setItem of a number",
    operations: 1,
    prepare() {
      let number = 0;
      return (/** @type {number} */ iterations) => {
        for (let count = 0; count < iterations; count++) {
          localStorage.setItem("JavaScript's count", String(number++));
        }
      };
    },
  },
  {
    name: "getItem and setItem of a number",
    operations: 1,
    prepare() {
      let number = 0;
      return (/** @type {number} */ iterations) => {
        for (let count = 0; count < iterations; count++) {
          const stored = localStorage.getItem("JavaScript's count");
          if (stored !== String(number)) number = Number(stored);
          localStorage.setItem("JavaScript's count", String(++number));
        }
      };
    },
  },
  {
    name: "object with a closure, each of 10,000",
    operations: 10_000,
    prepare() {
      const counts = new Map([["count", { value: 0 }]]);
      let _seen = 0;
      return (/** @type {number} */ iterations) => {
        for (let count = 0; count < iterations; count++) {
          const objects = Array.from({ length: 10_000 }, () => {
            const stored = counts.get("count");
            return { key: "count", get: () => stored?.value };
          });
          _seen = objects.length;
        }
      };
    },
  },
  {
    name: "stringify and setItem of 10,000 todos",
    operations: 1,
    prepare() {
      const todos = makeTodos();
      return (/** @type {number} */ iterations) => {
        for (let count = 0; count < iterations; count++) {
          todos[5000].completed = !todos[5000].completed;
          localStorage.setItem("JavaScript's todos", JSON.stringify(todos));
        }
      };
    },
  },
  {
    name: "getItem and parse of 10,000 todos",
    operations: 1,
    prepare: () => (/** @type {number} */ iterations) => {
      for (let count = 0; count < iterations; count++) {
        const text = localStorage.getItem("todos") ?? "";
        if (JSON.parse(text).length !== 10_000) throw Error("the todos are not stored");
      }
    },
  },
  {
    name: "JSON.stringify of 10,000 todos",
    operations: 1,
    prepare() {
      const todos = makeTodos();
      let _seen = 0;
      return (/** @type {number} */ iterations) => {
        for (let count = 0; count < iterations; count++) _seen = JSON.stringify(todos).length;
      };
    },
  },
  {
    name: "JSON.parse of 10,000 todos",
    operations: 1,
    prepare() {
      const text = JSON.stringify(makeTodos());
      let _seen = 0;
      return (/** @type {number} */ iterations) => {
        for (let count = 0; count < iterations; count++) _seen = JSON.parse(text).length;
      };
    },
  },
];
