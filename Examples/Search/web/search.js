// @ts-check
// Runs the program, and fetches the files that it requests; see Fetcher.swift.

// @ts-types="./dev/page.d.ts"
import { bind } from "./page.js";
// @ts-types="./dev/sharing.d.ts"
import { start } from "./sharing.js";

const file = new URL("Search.wasm", import.meta.url);
const program = start(fetch(file, { cache: "no-cache" }), window, bind(document), {
  imports: ({ text }) => ({
    mine: {
      fetch_text(number, path, byteCount) {
        fetchText(text(path, byteCount) ?? "").then((file) => answer(number, file));
      },
    },
  }),
});

/** The text of a file, or null if it cannot be fetched. */
async function fetchText(/** @type {string} */ path) {
  try {
    const response = await fetch(new URL(path, import.meta.url));
    return response.ok ? await response.text() : null;
  } catch {
    return null;
  }
}

async function answer(/** @type {number} */ number, /** @type {string | null} */ file) {
  (await program)?.call("search_answered", file, number);
}
