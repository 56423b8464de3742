// @ts-check
// Messages about a program, to the page and to the console.

import { attempt, failed } from "./boundary.js";

/**
 * @param {Window & typeof globalThis} window
 * @param {any} page
 * @param {any} program
 */
export function messagesOf(window, page, program) {
  const { console } = window;

  const report = (error) => {
    console.error(error);
    return failed;
  };

  // Calls a method of the page. An exception is the page's mistake: the program continues.
  const tell = (name, part, text) => {
    if (part === "storage-details") {
      program.note?.(program, { message: text });
      if (text) console.error(text);
    }
    return attempt(() => page?.[name]?.(part, text), report);
  };

  return {
    report,
    tell,

    // Says that the program cannot start, or has stopped: to the person at the page, and with the
    // advice and the error to the developer at the console.
    fail(error, what, advice = explained(error)) {
      const message = `The program ${what}.`;
      console.error(message, advice, error);
      tell("fail", message);
    },
  };
}

/**
 * Returns advice for a browser's error that keeps a program from being loaded, if there is any.
 * Each browser has words of its own for it.
 */
export function explained(error) {
  return /unsafe-eval|\bCSP\b/.test(error?.message)
    ? "Add 'wasm-unsafe-eval' to script-src of its Content-Security-Policy."
    : "";
}
