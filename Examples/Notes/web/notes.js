// @ts-check
// Adds to the page of page.js: formatted times, a drawing, the title of the window, and a function
// that the program imports.

// @ts-types="./dev/formats.d.ts"
import { format } from "./formats.js";
// @ts-types="./dev/page.d.ts"
import { bind } from "./page.js";
// @ts-types="./dev/sharing.d.ts"
import { start } from "./sharing.js";

const page = bind(document);
format(document);

/** @type {import("./dev/sharing.d.ts").Page} */
const notesPage = {
  ...page,
  set(name, text) {
    page.set(name, text);
    if (name === "lengths") draw(text.match(/\d+/g) ?? []);
  },
};

/** Draws a bar for each note, as high as the note has words. */
function draw(/** @type {string[]} */ lengths) {
  document.title = lengths.length ? `Notes (${lengths.length})` : "Notes";
  const bars = lengths.map((length, index) => {
    const bar = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const height = Math.min(Number(length), 48);
    const place = { x: 12 * index, y: 48 - height, width: 10, height };
    for (const [name, value] of Object.entries(place)) bar.setAttribute(name, String(value));
    return bar;
  });
  document.querySelector("#drawing")?.replaceChildren(...bars);
}

const words = new Intl.Segmenter(undefined, { granularity: "word" });

const program = new URL("Notes.wasm", import.meta.url);
start(fetch(program, { cache: "no-cache" }), window, notesPage, {
  imports: ({ text }) => ({
    mine: {
      // See WordCount.swift.
      word_count(pointer, count) {
        const segments = [...words.segment(text(pointer, count) ?? "")];
        return segments.filter(({ isWordLike }) => isWordLike).length;
      },
    },
  }),
});
