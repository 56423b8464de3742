// @ts-check
// The other tab: shows the program's tally and the handwritten one.

import { onShow, program } from "./program.js";

program.bench_tally_show();

Object.assign(globalThis, {
  /** Calls a function with the texts of the program and of the handwritten script. */
  watch(/** @type {(name: string, text: string) => void} */ hear) {
    onShow(hear);
    new BroadcastChannel("by hand").onmessage = ({ data }) => hear("by hand", String(data));
  },
});
