// @ts-check
// The messages of two programs that share a page: the places show both.

/** The names of messages about a program. */
export const messages = new Set([
  "running",
  "stopped",
  "program-error",
  "storage-error",
  "outdated",
  "unsaved",
  "refused",
  "update",
]);

/**
 * Notes a program's message in a place, and returns the messages of all programs there. A message
 * stays until its program has another one; that of a stopped program, until any other has one.
 * @param {any} element keeps the messages, by target and program, in its property `said`
 * @param {string} target
 * @param {{ isStopped: boolean }} program
 * @param {string} text
 */
export function joined(element, target, program, text) {
  element.said ??= { __proto__: null };
  const said = element.said[target] ??= new Map();
  for (const other of said.keys()) {
    if (other.isStopped) said.delete(other);
  }
  said.set(program, text);
  return [...new Set(said.values())].filter(Boolean).join(" ");
}
