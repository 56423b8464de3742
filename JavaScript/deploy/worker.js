// @ts-check
// The service worker of a deployed app. It keeps the files of one build in a cache, and answers
// with these. The build's name is in the addresses of a page's files, so a tab gets its own ones.

/** @type {{ name: string, files: any }} the addresses of its files; null if none are to be kept */
// @ts-ignore: `deploy` writes the build here
const { name, files } = BUILD;

/** @type {any} */
const worker = self;
const { caches, clients, navigator, registration } = worker;
const { scope } = registration;
// Other apps of this origin have other paths.
const prefix = `wasm-sharing ${new URL(scope).pathname} `;
const inBuild = /^([0-9a-f]{16})\//;

const on = (type, act) => worker.addEventListener(type, act);

/** Loads the files of the build into its cache, but those that an interrupted call has left. */
async function keepFiles() {
  const cache = await caches.open(prefix + name);
  await Promise.all(files.map(async (path) => {
    if (!await cache.match(scope + path)) await cache.put(scope + path, await load(path));
  }));
}

async function load(path) {
  const isPage = !inBuild.test(path);
  const address = scope + path.replace(/(^|\/)index\.html$/, "$1"); // some hosts redirect this name
  const response = await fetch(address, { cache: isPage ? "no-cache" : "default" });
  if (!response.ok) throw Error(`${response.status} for ${address}`);
  if (!isPage) return response;
  const text = await response.text();
  if (!text.includes(name)) throw Error(`${address} is of another build than ${name}`);
  // A redirected response cannot answer the request of a page.
  return new Response(text, { headers: response.headers });
}

/** Returns the build and the path of a kept file that a request names; undefined for others. */
function wanted({ method, headers, url }) {
  if (method !== "GET" || headers.has("range") || !url.startsWith(scope)) return;
  const path = url.slice(scope.length).replace(/[?#].*/, "");
  const [, build] = inBuild.exec(path) ?? [];
  if (build) return { build, path }; // it may be a former one
  const page = [path, `${path}index.html`, `${path}.html`].find((one) => files.includes(one));
  if (page) return { build: name, path: page };
}

async function answer(request, { build, path }) {
  const kept = { cacheName: prefix + build, ignoreVary: true };
  return await caches.match(scope + path, kept) ?? fetch(request);
}

/** Deletes the caches of former builds that no tab uses: each tab has a lock of its build. */
async function deleteFormer() {
  for (const cache of await caches.keys()) {
    if (!cache.startsWith(prefix) || cache === prefix + name) continue;
    await navigator.locks.request(cache, { ifAvailable: true }, (lock) => {
      const isNewer = registration.installing || registration.waiting;
      return lock && !isNewer && caches.delete(cache);
    });
  }
}

/** Ends the worker of a former build that was kept: this one is not. */
async function leave() {
  await registration.unregister();
  for (const cache of await caches.keys()) {
    if (cache.startsWith(prefix)) await caches.delete(cache);
  }
}

if (files) {
  on("install", (event) => event.waitUntil(keepFiles()));
  on("activate", (event) => event.waitUntil(clients.claim()));
  on("message", (event) => event.waitUntil(deleteFormer()));
  on("fetch", (event) => {
    const file = wanted(event.request);
    if (file) event.respondWith(answer(event.request, file));
  });
} else {
  on("install", () => worker.skipWaiting());
  on("activate", (event) => event.waitUntil(leave()));
}
