// @ts-check
// What another tab does: shows the program's tally, and that by hand.

import { onShow, program } from "./program.js";

program.bench_tally_show();

Object.assign(globalThis, {
  /** Calls it with what the program shows, and with what a script by hand would. */
  watch(/** @type {(name: string, text: string) => void} */ hear) {
    onShow(hear);
    new BroadcastChannel("by hand").onmessage = ({ data }) => hear("by hand", String(data));
  },
});
