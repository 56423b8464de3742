// @ts-check
// @ts-types="./dev/files.d.ts"
import { files } from "./files.js";
// @ts-types="./dev/formats.d.ts"
import { format } from "./formats.js";
// @ts-types="./dev/page.d.ts"
import { bind } from "./page.js";
// @ts-types="./dev/sharing.d.ts"
import { start } from "./sharing.js";

const month = (value, _, languages) =>
  new Date(`${value}T00:00`).toLocaleDateString(languages, { year: "numeric", month: "long" });
format(document, { month });
const program = new URL("Expenses.wasm", import.meta.url);
start(fetch(program, { cache: "no-cache" }), window, files(document, bind(document)));
