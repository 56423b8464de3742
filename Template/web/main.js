import { bind } from "./page.js";
import { start } from "./sharing.js";

const program = new URL("MyApp.wasm", import.meta.url);
start(fetch(program, { cache: "no-cache" }), window, bind(document));
