// @ts-check
/// <reference lib="deno.ns" />
// A page in Chromium, served from a folder, and its memory use.

import { until } from "../Tests/script/server.js";

const TYPES = { css: "text/css", html: "text/html", js: "text/javascript", svg: "image/svg+xml" };

/** Makes the page keep its programs alive. */
const KEEPING = `
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const original = WebAssembly[name];
    WebAssembly[name] = async (...given) => {
      const made = await original(...given);
      (window.programs ??= []).push(made.instance ?? made);
      return made;
    };
  }`;

/** A browser with one page; both end with it. */
export class Chromium {
  /** @type {Map<number, PromiseWithResolvers<any>>} */
  #asked = new Map();
  #session = "";

  /** Opens a page of a folder. */
  static async open(/** @type {string} */ folder, /** @type {string} */ path) {
    const chromium = new Chromium(folder);
    await until(() => chromium.#port(), "Chromium");
    const version = await fetch(`http://127.0.0.1:${chromium.#port()}/json/version`);
    await chromium.#connect((await version.json()).webSocketDebuggerUrl);
    const { targetId } = await chromium.ask("Target.createTarget", { url: "about:blank" });
    const attached = await chromium.ask("Target.attachToTarget", { targetId, flatten: true });
    chromium.#session = attached.sessionId;
    await chromium.ask("Page.enable");
    await chromium.ask("Page.addScriptToEvaluateOnNewDocument", { source: KEEPING });
    const { port } = chromium.files.addr;
    await chromium.ask("Page.navigate", { url: `http://127.0.0.1:${port}/${path}` });
    return chromium;
  }

  constructor(/** @type {string} */ folder) {
    this.profile = Deno.makeTempDirSync();
    this.process = new Deno.Command(Deno.env.get("CHROMIUM") ?? "chromium", {
      args: [
        "--no-sandbox",
        "--headless=new",
        "--no-first-run",
        "--remote-debugging-port=0",
        `--user-data-dir=${this.profile}`,
        "about:blank",
      ],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    this.files = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
      const { pathname } = new URL(request.url), name = pathname === "/" ? "/index.html" : pathname;
      const ending = /** @type {keyof TYPES} */ (name.split(".").at(-1));
      const headers = { "Content-Type": TYPES[ending] ?? "application/wasm" };
      try {
        return new Response(await Deno.readFile(folder + name), { headers });
      } catch {
        return new Response(null, { status: 404 });
      }
    });
  }

  #port() {
    try {
      return Deno.readTextFileSync(`${this.profile}/DevToolsActivePort`).split("\n")[0];
    } catch {
      return "";
    }
  }

  async #connect(/** @type {string} */ address) {
    this.socket = new WebSocket(address);
    this.socket.onmessage = ({ data }) => {
      const { id, result, error } = JSON.parse(data), asked = this.#asked.get(id);
      if (error) asked?.reject(Error(error.message));
      else asked?.resolve(result);
      this.#asked.delete(id);
    };
    await new Promise((resolve) => /** @type {WebSocket} */ (this.socket).onopen = resolve);
  }

  #count = 0;

  /** Sends a request to the browser or its page over the DevTools protocol. */
  ask(/** @type {string} */ method, params = {}) {
    const id = ++this.#count, asked = Promise.withResolvers();
    this.#asked.set(id, asked);
    const sessionId = /^(System|Target)/.test(method) ? undefined : this.#session;
    this.socket?.send(JSON.stringify({ id, method, params, sessionId }));
    return asked.promise;
  }

  /** Returns the value of an expression in the page. */
  async value(/** @type {string} */ expression) {
    const options = { expression, returnByValue: true };
    return (await this.ask("Runtime.evaluate", options)).result.value;
  }

  /** Returns the page's memory in MB after garbage collection, and its nodes and listeners. */
  async memory() {
    await this.ask("HeapProfiler.collectGarbage");
    const { usedSize } = await this.ask("Runtime.getHeapUsage");
    const { nodes, jsEventListeners } = await this.ask("Memory.getDOMCounters");
    const sizes = "programs.reduce((sum, one) => sum + one.exports.memory.buffer.byteLength, 0)";
    const { processInfo } = await this.ask("SystemInfo.getProcessInfo");
    const pages = processInfo.filter((/** @type {any} */ { type }) => type === "renderer");
    return {
      heap: usedSize / 2 ** 20,
      programs: await this.value(sizes) / 2 ** 20,
      nodes,
      listeners: jsEventListeners,
      processes: pages.map((/** @type {any} */ { id }) => id),
    };
  }

  async [Symbol.asyncDispose]() {
    this.socket?.close();
    this.process.kill("SIGKILL");
    await this.process.status;
    await this.files.shutdown();
    await Deno.remove(this.profile, { recursive: true }).catch(() => {}); // children still write
  }
}
