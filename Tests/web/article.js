// @ts-check

import { readFileSync } from "node:fs";

/** Returns the lines of the JavaScript block in an article that contains a text. */
export function codeLines(/** @type {string} */ article, /** @type {string} */ text) {
  const path = new URL(`../../docs/Documentation.docc/${article}.md`, import.meta.url);
  const blocks = readFileSync(path, "utf8").matchAll(/^```js\n(.*?)^```$/gms);
  const [code] = [...blocks].map(([, code]) => code).filter((code) => code.includes(text));
  return code.trimEnd().split("\n");
}

/** Returns the exports of a module with these lines. */
export const moduleOf = (/** @type {string[]} */ lines) =>
  import("data:text/javascript," + encodeURIComponent(lines.join("\n")));
