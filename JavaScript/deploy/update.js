// @ts-check
// `deploy` adds this script to each page of an app with a manifest. It starts the service worker,
// and shows that a new build is ready.

const READY = "A new version of this app is ready.";
const RELOADING = "[data-click=sharing-reload],a[href='']";
const app = new URL("../", import.meta.url);
const [name] = import.meta.url.split("/").slice(-2);
const workers = navigator.serviceWorker; // undefined without HTTPS
/** @type {ServiceWorkerRegistration} */
let registration;

// The worker keeps the files of a build as long as a tab has its lock. A browser keeps no page for
// the way back that has one.
let release = () => {};
const hold = () =>
  navigator.locks.request(`wasm-sharing ${app.pathname} ${name}`, { mode: "shared" }, () => {
    return new Promise((resolve) => release = () => resolve(undefined));
  });

function showUpdate() {
  // The first worker of an app waits for a moment, too.
  if (!registration.waiting || !registration.active) return;
  for (const place of document.querySelectorAll("[data-text=update]")) place.textContent = READY;
}

const follow = () => registration.installing?.addEventListener("statechange", showUpdate);

/** Loads the page again, in the newest build that is ready. */
function reload() {
  const waiting = registration?.waiting;
  if (!waiting) return location.reload();
  waiting.addEventListener("statechange", () => {
    if (waiting.state !== "activating") location.reload();
  });
  waiting.postMessage("activate");
}

/** Takes a click before the bindings do, whose program has no such action. */
function hear(event) {
  const { target, ctrlKey, metaKey, shiftKey } = event;
  if (ctrlKey || metaKey || shiftKey || !target.closest?.(RELOADING)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  reload();
}

async function start() {
  addEventListener("click", hear, true);
  addEventListener("pagehide", () => release());
  addEventListener("pageshow", hold);
  workers.controller?.postMessage("deleteFormer");
  // The page's own files come first.
  await new Promise((resolve) => addEventListener("load", resolve));
  const options = /** @type {const} */ ({ updateViaCache: "none" });
  registration = await workers.register(new URL("sharing-worker.js", app), options);
  showUpdate();
  follow();
  registration.addEventListener("updatefound", follow);
  // A phone shows an app again that was left for days.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) registration.update().catch(() => {}); // there may be no network
  });
}

if (workers) start().catch((error) => console.warn("This app is not kept for offline use:", error));
