// @ts-check
// The only file that reaches for globals: it hands them to the others.

import { bind } from "./page.js";
import { start } from "./sharing.js";

// "no-cache" asks the server whether the file is still the same: a reload after a rebuild, which is
// what a version mismatch asks for, then really loads the new program.
start(fetch("demo.wasm", { cache: "no-cache" }), window, bind(document));
