// @ts-check
// The functions of WASI that a program in a page needs: clock, random numbers, and lines of text.

import { write } from "./texts.js";

/** Returns the result of any other function of WASI: ENOSYS. */
export const notSupported = () => 52;

/**
 * Returns the functions of `wasi_snapshot_preview1`.
 * @param {import("./texts.js").Bytes} bytes
 * @param {Pick<Window & typeof globalThis, "console" | "crypto" | "performance">} window
 * @param {(text: string) => void} onError gets all that the program writes to its standard error
 */
export function wasiCalls(bytes, { console, crypto, performance }, onError) {
  const streams = { 1: linesOf(console.log), 2: linesOf(console.error, onError) };
  return {
    environ_get: () => 0,

    environ_sizes_get(...counts) {
      for (const count of counts) bytes(count, 4).fill(0);
    },

    fd_prestat_get: () => 8, // EBADF: a page has no folders

    clock_time_get(clock, _precision, time) {
      const milliseconds = (clock ? performance : Date).now();
      write(bytes, time, BigInt64Array.of(BigInt(Math.round(milliseconds * 1e6))));
    },

    fd_write(descriptor, vectors, vectorCount, written) {
      // Pointers and byte counts by turns; a copy, as they may be at any address.
      const spans = new Int32Array(bytes(vectors, 8 * vectorCount).slice().buffer);
      let total = 0;
      for (let at = 0; at < spans.length; at += 2) {
        const pointer = spans[at], count = spans[at + 1];
        streams[descriptor](bytes(pointer, count));
        total += count;
      }
      write(bytes, written, Int32Array.of(total));
    },

    random_get(pointer, count) {
      crypto.getRandomValues(bytes(pointer, count));
    },
  };
}

// Returns a function that takes UTF-8 in parts, and writes each line once it is whole.
function linesOf(writeLine, onText) {
  const decoder = new TextDecoder();
  let rest = "";
  return (bytes) => {
    const text = decoder.decode(bytes, { stream: true });
    onText?.(text);
    const lines = (rest + text).split("\n");
    [rest] = lines.splice(-1);
    for (const line of lines) writeLine(line);
  };
}
