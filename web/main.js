// @ts-check
// The only file that reaches for globals: it hands them to the others.

import { bind } from "./page.js";
import { start } from "./sharing.js";

/** @type {Record<string, import("../JavaScript/sharing.d.ts").Engine>} */
const engines = {};
const servers = new URLSearchParams(location.search).get("nats")?.split(",");
if (servers) {
  const { nats } = await import("./nats.js");
  // The user of `./build.sh serve --nats`. The password is no secret.
  const credentials = () => ({ user: "visitor", pass: "visitor" });
  const connect = () => nats({ servers, bucket: "app", credentials }, window);
  engines.world = connect();
  import("./presence.js").then(({ showPresence }) => showPresence(window, connect));
}

// F8 opens the inspector; so does a button, where there is no such key.
const inspector = () => import("./inspector.js");
document.querySelector("#inspect")?.addEventListener("click", async () => {
  (await inspector()).toggle(window);
});

// With "no-cache", a reload after a rebuild loads the new program.
const program = new URL("demo.wasm", import.meta.url);
start(fetch(program, { cache: "no-cache" }), window, bind(document), { engines, inspector });
