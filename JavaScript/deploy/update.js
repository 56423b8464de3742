// @ts-check
// `deploy` adds this script to each page of an app with a manifest. It starts the service worker.

const app = new URL("../", import.meta.url);
const [name] = import.meta.url.split("/").slice(-2);
const worker = navigator.serviceWorker; // undefined without HTTPS

// The worker keeps the files of a build as long as a tab has its lock. A browser keeps no page for
// the way back that has one.
let release = () => {};
const hold = () =>
  navigator.locks.request(`wasm-sharing ${app.pathname} ${name}`, { mode: "shared" }, () => {
    return new Promise((resolve) => release = () => resolve(undefined));
  });

async function start() {
  addEventListener("pagehide", () => release());
  addEventListener("pageshow", hold);
  worker.controller?.postMessage("deleteFormer");
  // The page's own files come first.
  await new Promise((resolve) => addEventListener("load", resolve));
  await worker.register(new URL("sharing-worker.js", app), { updateViaCache: "none" });
}

if (worker) start().catch((error) => console.warn("This app is not kept for offline use:", error));
