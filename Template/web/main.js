import { bind } from "./page.js";
import { start } from "./sharing.js";

start(fetch("MyApp.wasm", { cache: "no-cache" }), window, bind(document));
