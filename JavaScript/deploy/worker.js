// @ts-check
// The service worker of a deployed app. It keeps the files of one build in a cache, and answers
// with these. The build's name is in the addresses of a page's files, so a tab gets its own ones.

/**
 * The build: its name, and the SHA-256 of each file by its address; null if none are to be kept.
 * @type {{ name: string, files: any }}
 */
// @ts-ignore: `deploy` writes the build here
const { name, files } = BUILD;

/** @type {any} */
const worker = self;
const { caches, clients, navigator, registration } = worker;
const { scope } = registration;
// Other apps of this origin have other paths.
const prefix = `wasm-sharing ${new URL(scope).pathname} `;
const list = `${scope}sharing-files.json`; // each cache has the hashes of its files there
const inBuild = /^([0-9a-f]{16})\//;

const on = (type, act) => worker.addEventListener(type, act);

/** Loads the files of the build into its cache, but those that an interrupted call has left. */
async function keepFiles() {
  const cache = await caches.open(prefix + name);
  const former = await formerFiles();
  await Promise.all(
    Object.keys(files).map(async (path) => {
      if (await cache.match(scope + path)) return;
      await cache.put(scope + path, await former[files[path]]?.() ?? await load(path));
    }),
  );
  await cache.put(list, new Response(JSON.stringify(files)));
}

/** Returns functions that find the kept files of former builds, by the hashes of these. */
async function formerFiles() {
  const found = {};
  for (const key of await caches.keys()) {
    if (!key.startsWith(prefix)) continue;
    const cache = await caches.open(key);
    const hashes = await (await cache.match(list))?.json();
    for (const path in hashes) {
      found[hashes[path]] = async () => withoutAddress(await cache.match(scope + path));
    }
  }
  return found;
}

async function load(path) {
  // Some hosts answer with a page where a file is missing.
  if (inBuild.test(path)) return fetch(scope + path, { integrity: `sha256-${files[path]}` });
  const address = scope + path.replace(/(^|\/)index\.html$/, "$1"); // some hosts redirect this name
  const response = await fetch(address, { cache: "no-cache" });
  const text = await response.text(); // some hosts add something to pages
  if (!text.includes(name)) throw Error(`${address} is of another build than ${name}`);
  return withoutAddress(response, text); // a redirected one cannot answer the request of a page
}

/** Returns a response that has the address of its request: modules import from there. */
async function withoutAddress(response, body = response?.blob()) {
  return response && new Response(await body, { headers: response.headers });
}

/** Returns the build and the path of a kept file that a request names; undefined for others. */
function wanted({ method, headers, url }) {
  if (method !== "GET" || headers.has("range") || !url.startsWith(scope)) return;
  const path = url.slice(scope.length).replace(/[?#].*/, "");
  const [, build] = inBuild.exec(path) ?? [];
  if (build) return { build, path }; // it may be a former one
  const page = [path, `${path}index.html`, `${path}.html`].find((one) => files[one]);
  if (page) return { build: name, path: page };
}

async function answer(request, { build, path }) {
  const kept = { cacheName: prefix + build, ignoreVary: true };
  return await caches.match(scope + path, kept) ?? fetch(request);
}

/** Deletes the caches of former builds that no tab uses: each tab has a lock of its build. */
async function deleteFormer() {
  for (const key of await caches.keys()) {
    if (!key.startsWith(prefix) || key === prefix + name) continue;
    await navigator.locks.request(key, { ifAvailable: true }, (lock) => {
      const isNewer = registration.installing || registration.waiting;
      return lock && !isNewer && caches.delete(key);
    });
  }
}

/** Ends the worker of a former build that was kept: this one is not. */
async function leave() {
  await registration.unregister();
  for (const key of await caches.keys()) {
    if (key.startsWith(prefix)) await caches.delete(key);
  }
}

if (files) {
  on("install", (event) => event.waitUntil(keepFiles()));
  on("activate", (event) => event.waitUntil(clients.claim()));
  on("message", (event) => {
    event.waitUntil(event.data === "activate" ? worker.skipWaiting() : deleteFormer());
  });
  on("fetch", (event) => {
    const file = wanted(event.request);
    if (file) event.respondWith(answer(event.request, file));
  });
} else {
  on("install", () => worker.skipWaiting());
  on("activate", (event) => event.waitUntil(leave()));
}
