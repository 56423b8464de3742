// @ts-check
// The functions of WASI that a program in a page needs: clock, random numbers, and lines of text.

import { write } from "./texts.js";

/** Returns the result of any other function of WASI: ENOSYS. */
export const notSupported = () => 52;

/**
 * Returns the functions of `wasi_snapshot_preview1`.
 * @param {import("./texts.js").Bytes} bytes
 * @param {Pick<Window & typeof globalThis, "console" | "crypto" | "performance">} window
 */
export function wasiCalls(bytes, { console, crypto, performance }) {
  const streams = { 1: linesOf(console.log), 2: linesOf(console.error) };
  return {
    // There are no variables, so the C library does not call environ_get.
    environ_sizes_get(...counts) {
      counts.forEach((count) => bytes(count, 4).fill(0));
    },

    fd_prestat_get: () => 8, // EBADF: a page has no folders

    // A character device without rights, as a terminal is: the C library writes each line at once.
    fd_fdstat_get(_descriptor, status) {
      bytes(status, 24).fill(0)[0] = 2;
    },

    clock_time_get(clock, _precision, time) {
      const milliseconds = (clock ? performance : Date).now();
      write(bytes, time, BigInt64Array.of(BigInt(Math.round(milliseconds * 1e6))));
    },

    fd_write(descriptor, vectors, vectorCount, written) {
      // Pointers and byte counts by turns; a copy, as they may be at any address.
      const spans = new Int32Array(bytes(vectors, 8 * vectorCount).slice().buffer);
      let total = 0;
      for (let at = 0; at < spans.length;) {
        const part = bytes(spans[at++], spans[at++]);
        total += part.length; // a view is empty once the memory has grown
        streams[descriptor](part);
      }
      write(bytes, written, Int32Array.of(total));
    },

    random_get(pointer, count) {
      crypto.getRandomValues(bytes(pointer, count));
    },
  };
}

// Returns a function that takes UTF-8 in parts, and writes each line once it is whole.
function linesOf(writeLine) {
  const decoder = new TextDecoder();
  /** @type {string | undefined} */
  let rest = "";
  return (bytes) => {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop();
    lines.forEach((line) => writeLine(line));
  };
}
