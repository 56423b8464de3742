// @ts-check
/// <reference lib="deno.ns" />
// A real nats-server on loopback, a proxy with network failures, and a client of an engine.

import { nats } from "../../JavaScript/nats.js";

/** @typedef {import("../../../../JavaScript/sharing.d.ts").Stored} Stored */
/** @typedef {(text: string | null) => string | null} Change */

const encoder = new TextEncoder(), decoder = new TextDecoder();

export const sleep = (/** @type {number} */ time) =>
  new Promise((resolve) => setTimeout(resolve, time));

/** Waits until a condition holds; the time limit allows for a busy machine. */
export async function until(/** @type {() => unknown} */ holds, what = `${holds}`) {
  const end = Date.now() + 60_000;
  while (!await holds()) {
    if (Date.now() > end) throw Error(`It never came: ${what}`);
    await sleep(10);
  }
}

/** The variable may name another version. */
const program = Deno.env.get("NATS_SERVER") ?? "nats-server";

/** Whether this version supports clusters. */
export const isForClusters = !/v2\.(\d|10\.(1?\d|2[0-6]))\b/.test(
  decoder.decode(new Deno.Command(program, { args: ["--version"] }).outputSync().stdout),
);

/** @type {Set<number>} */
const givenPorts = new Set();

/** Returns a port that the system gives to no connection, also while a server is down. */
const freePort = () => {
  for (;;) {
    const port = 10_000 + Math.floor(10_000 * Math.random());
    if (givenPorts.has(port)) continue; // another server may not have begun to listen
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      givenPorts.add(port);
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
};

/**
 * Returns a user with access to the keys of some prefixes; `everything` to all; some without
 * notifications.
 */
const user = (
  /** @type {string} */ name,
  /** @type {string} */ password,
  /** @type {string[]} */ deaf,
) => {
  const prefixes = name === "everything" ? [""] : ["public.", "presence.", `${name}.`];
  const keys = prefixes.map((prefix) => `$KV.app.${prefix}>`);
  const publish = [
    ...keys,
    ...keys.map((key) => `$JS.API.DIRECT.GET.KV_app.${key}`),
    ...deaf.includes(name) ? [] : keys.map((key) => `KVAPI.CREATE.*.${key}`),
    "$JS.FC.KV_app.>",
  ];
  const subscribe = [`_INBOX_${name}.>`, `watch.${name}.>`];
  const permissions = { publish: { allow: publish }, subscribe: { allow: subscribe } };
  return { user: name, password, permissions };
};

const services = ["$KV.app.>", "$JS.API.DIRECT.GET.KV_app.>", "$JS.FC.KV_app.>"];
const creation = "$JS.API.CONSUMER.CREATE.KV_app.>";

/**
 * Returns a configuration like nats_configuration.py's: the bucket and the pages in separate
 * accounts.
 */
const configuration = (
  /** @type {Server} */ {
    folder,
    port,
    webPort,
    users,
    deaf,
    options: { clusters, maxPayload, syncs },
  },
) => ({
  listen: `127.0.0.1:${port}`,
  max_payload: maxPayload ?? 1_048_576,
  websocket: { listen: `127.0.0.1:${webPort}`, no_tls: true },
  ...clusters
    ? { cluster: { name: "pages", listen: `127.0.0.1:${freePort()}` } }
    : { jetstream: { store_dir: `${folder}/data`, ...syncs ? { sync_interval: "always" } : {} } },
  accounts: {
    STORE: {
      ...clusters ? {} : { jetstream: "enabled" },
      users: [{ user: "admin", password: "admin" }],
      exports: [...[...services, creation].map((service) => ({ service })), { stream: "watch.>" }],
    },
    PAGES: {
      users: Object.entries(users).map(([name, password]) => user(name, password, deaf)),
      imports: [
        ...services.map((subject) => ({ service: { account: "STORE", subject } })),
        { service: { account: "STORE", subject: creation }, to: "KVAPI.CREATE.>" },
        { stream: { account: "STORE", subject: "watch.>" } },
      ],
    },
  },
});

/** A server with its own data, and engines that use it; all end with the test. */
export class Server {
  folder = Deno.makeTempDirSync();
  port = freePort();
  webPort = freePort();
  /** @type {{ [name: string]: string }} */
  users = {
    alice: "secret",
    bob: "secret",
    carl: "secret",
    everything: "secret",
    visitor: "visitor",
  };
  deaf = ["carl"];
  /** @type {{ close(): void }[]} */
  opened = [];
  /** @type {Deno.ChildProcess | null} */
  process = null;

  constructor(/** @type {{ clusters?: boolean, maxPayload?: number, syncs?: boolean }} */ options) {
    this.options = options;
  }

  /** Starts a server; creates a bucket unless disabled. */
  static async start(
    /** @type {{ hasBucket?: boolean } & Server["options"]} */ { hasBucket = true, ...options } =
      {},
  ) {
    const server = new Server(options);
    await server.run();
    if (hasBucket) await server.createBucket();
    return server;
  }

  get address() {
    return `ws://127.0.0.1:${this.webPort}`;
  }

  async run() {
    const file = `${this.folder}/server.conf`;
    Deno.writeTextFileSync(file, JSON.stringify(configuration(this)));
    this.process = new Deno.Command(program, {
      args: ["--config", file, "--log", `${this.folder}/log`],
      stdin: "null",
    }).spawn();
    await until(async () => {
      try {
        for (const port of [this.webPort, this.port]) {
          (await Deno.connect({ hostname: "127.0.0.1", port })).close();
        }
        return true;
      } catch {
        return false;
      }
    }, "the server");
  }

  async kill() {
    this.process?.kill("SIGKILL");
    await this.process?.status;
  }

  /** Reloads the users. */
  reload() {
    Deno.writeTextFileSync(`${this.folder}/server.conf`, JSON.stringify(configuration(this)));
    this.process?.kill("SIGHUP");
  }

  /** Creates the bucket, with optional settings of its stream. */
  createBucket(more = {}) {
    return this.ask("$JS.API.STREAM.CREATE.KV_app", {
      name: "KV_app",
      subjects: ["$KV.app.>"],
      max_msgs_per_subject: 64,
      discard: "new",
      num_replicas: 1,
      allow_direct: true,
      allow_rollup_hdrs: false,
      deny_delete: true,
      storage: "file",
      ...more,
    });
  }

  /** Returns the server's answer to an administrator; text is sent unchanged. */
  async ask(/** @type {string} */ subject, /** @type {unknown} */ content) {
    const body = typeof content === "string" ? content : JSON.stringify(content);
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: this.port });
    const login = { verbose: false, headers: true, user: "admin", pass: "admin" };
    const size = encoder.encode(body).length;
    await connection.write(encoder.encode(
      `CONNECT ${
        JSON.stringify(login)
      }\r\nSUB answer 1\r\nPUB ${subject} answer ${size}\r\n${body}\r\n`,
    ));
    let heard = "";
    for await (const chunk of connection.readable) {
      heard += decoder.decode(chunk, { stream: true });
      const answer = /MSG answer 1[ \d]+\r\n(?:NATS[^]*\r\n\r\n)?(.*)\r\n/.exec(heard)?.[1];
      if (!answer) continue;
      const { error, ...rest } = JSON.parse(answer);
      if (error) throw Error(error.description);
      return rest;
    }
    throw Error(`The server has closed the connection: ${heard}`);
  }

  /** Returns the engine of a user, through a proxy or directly. */
  engine(/** @type {any} */ { as = "alice", through = this, ...options } = {}) {
    const credentials = () => Promise.resolve({ user: as, pass: this.users[as] });
    const engine = nats({ servers: [through.address], bucket: "app", credentials, ...options });
    this.opened.push(engine);
    return engine;
  }

  async proxy() {
    const proxy = new Proxy(this);
    this.opened.push(proxy);
    return await proxy;
  }

  async [Symbol.asyncDispose]() {
    for (const each of this.opened) each.close();
    await this.kill();
    await Deno.remove(this.folder, { recursive: true });
  }
}

/** Forwards bytes, with configurable failures. */
export class Proxy {
  refuses = false;
  swallowsAnswers = false;
  swallowsQuestions = false;
  /** The delay of answers in milliseconds. */
  delay = 0;
  /** The number of connections until now. */
  count = 0;
  /** @type {Set<Deno.Conn>} */
  open = new Set();
  listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });

  constructor(/** @type {Server} */ server) {
    this.server = server;
    this.#listen();
  }

  get address() {
    return `ws://127.0.0.1:${/** @type {Deno.NetAddr} */ (this.listener.addr).port}`;
  }

  async #listen() {
    for await (const near of this.listener) this.#serve(near);
  }

  async #serve(/** @type {Deno.Conn} */ near) {
    this.count += 1;
    this.open.add(near);
    if (this.refuses) return this.#end(near);
    try {
      const far = await Deno.connect({ hostname: "127.0.0.1", port: this.server.webPort });
      this.open.add(far);
      this.#pass(near, far, () => this.swallowsQuestions);
      this.#pass(far, near, () => this.swallowsAnswers, true);
    } catch {
      this.#end(near);
    }
  }

  async #pass(
    /** @type {Deno.Conn} */ from,
    /** @type {Deno.Conn} */ to,
    /** @type {() => boolean} */ swallows,
    isAnswer = false,
  ) {
    const buffer = new Uint8Array(65_536);
    try {
      for (;;) {
        const count = await from.read(buffer);
        if (count === null) break;
        if (swallows()) continue;
        if (isAnswer && this.delay) await sleep(this.delay);
        for (let at = 0; at < count;) at += await to.write(buffer.subarray(at, count));
      }
    } catch { /* it is cut */ }
    this.#end(from);
    this.#end(to);
  }

  #end(/** @type {Deno.Conn} */ connection) {
    if (this.open.delete(connection)) connection.close();
  }

  cut() {
    for (const each of this.open) this.#end(each);
  }

  close() {
    this.cut();
    this.listener.close();
  }
}

/**
 * Uses an engine like a program: numbers its steps, commits pending changes together, and retries
 * the same commit if the store is unreachable.
 */
export class Client {
  /** @type {{ number: number, change: Change, done: PromiseWithResolvers<void> }[]} */
  waiting = [];
  step = 0;
  after = 0;
  failures = 0;
  isRunning = false;

  constructor(
    /** @type {import("../../../../JavaScript/sharing.d.ts").Engine} */ engine,
    /** @type {string} */ name,
    /** @type {string} */ key,
  ) {
    this.engine = engine;
    this.name = name;
    /** @type {Stored} */
    this.base = { key, revision: -1, text: null };
  }

  /** Stores a change of the text; returns when it is stored. */
  update(/** @type {Change} */ change) {
    const done = Promise.withResolvers();
    this.waiting.push({ number: ++this.step, change, done });
    if (!this.isRunning) this.#run();
    return done.promise;
  }

  async #run() {
    this.isRunning = true;
    while (this.waiting.length) {
      try {
        await this.#commit();
      } catch (error) {
        for (const { done } of this.waiting.splice(0)) done.reject(error);
      }
    }
    this.isRunning = false;
  }

  async #commit() {
    const { waiting, after, base } = this, through = this.step;
    const entries = (
      /** @type {Stored} */ { key, revision, text },
      /** @type {number} */ applied,
    ) => {
      for (const { number, change } of waiting) {
        if (number > applied && number <= through) text = change(text);
      }
      return [{ key, expected: revision, text }];
    };
    const commit = { client: this.name, after, through, entries: entries(base, after) };
    const { stored, applied } = await this.#persist(() =>
      this.engine.commit(commit, ([now], applied) => entries(now, applied))
    );
    [this.base, this.after] = [stored[0], applied];
    while (waiting[0]?.number <= applied) waiting.shift()?.done.resolve();
  }

  /** @template Result */
  async #persist(/** @type {() => Promise<Result>} */ ask) {
    for (;;) {
      try {
        return await ask();
      } catch (/** @type {any} */ error) {
        if (error.name !== "UnavailableError") throw error;
        this.failures += 1;
        await sleep(20);
      }
    }
  }
}

export const increment = (/** @type {string | null} */ text) => `${Number(text ?? 0) + 1}`;
