import type { Page } from "./sharing.d.ts";

/**
 * Gives files to the program, and offers files of the program to the person:
 *
 * ```html
 * <input type="file" accept=".json" data-file="import" data-limit="1000000">
 * <section data-file="import">Drop a file here.</section>
 * <button data-click="export">Export</button>
 * ```
 * ```js
 * import { files } from "./files.js";
 * import { bind } from "./page.js";
 * import { start } from "./sharing.js";
 *
 * const program = fetch(new URL("App.wasm", import.meta.url));
 * start(program, window, files(document, bind(document)));
 * ```
 * ```swift
 * page.onFile("import") { name, bytes in … }
 * page.on("export") { page.download("expenses.json", bytes) }
 * ```
 * `data-file="import"` is for an `<input type="file">`, and for an element on which files are
 * dropped. Each file is an action of its own, as that of a form with the fields `name`, `problem`
 * and `base64`, its bytes. A file with more bytes than `data-limit`, by default 5,000,000, is not
 * read; `problem` is then a sentence for the person, which the program shows under `refused`.
 *
 * The program sets "sharing-download" to a file's name, a space, and its bytes as Base64. It sets
 * "sharing-files" at the start, so that a page without this module reports what it lacks.
 * @param root the document, or an element with all such elements of the program
 * @param page the page of the program
 * @returns the page for `start`
 */
export function files(root: Document | Element, page: Page): Page;
