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
  let lastWords = "";

  const report = (error) => {
    console.error(error);
    return failed;
  };

  // Calls a method of the page. An exception is the page's mistake: the program goes on.
  const tell = (name, part, text) => {
    if (part === "storage-error") program.note?.(program, { message: text });
    return attempt(() => page?.[name]?.(part, text), report);
  };

  return {
    report,
    tell,

    // Keeps the program's output of a turn: if it stops then, that is the reason.
    keep: (text) => lastWords += text,
    forget: () => lastWords = "",

    // Says that the program cannot start, or has stopped.
    fail(error, what, why = explained(error)) {
      const reason = why || lastWords.slice(-999).trim() || error?.message;
      const message = `The program ${what} (${reason}).`;
      console.error(message, error);
      tell("fail", message);
    },
  };
}

/**
 * Returns advice for a browser's error that keeps a program from being loaded, if there is any.
 * Each browser has words of its own for it.
 */
export function explained(error) {
  if (/unsafe-eval|\bCSP\b/.test(error?.message)) {
    return "add 'wasm-unsafe-eval' to script-src of its Content-Security-Policy";
  }
}
