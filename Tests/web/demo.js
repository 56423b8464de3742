// @ts-check
import { readFileSync } from "node:fs";
import process from "node:process";

/** Returns the bytes of the demo's program: the file in DEMO, or web/demo.wasm. */
export function demo() {
  const path = process.env.DEMO ?? new URL("../../web/demo.wasm", import.meta.url);
  try {
    return Uint8Array.from(readFileSync(path));
  } catch (error) {
    throw new Error(`${path} cannot be read: run ./build.sh first`, { cause: error });
  }
}
