// @ts-check
/// <reference lib="deno.ns" />
// Rare events of a real server: the engine's conversation with a fake server.

import assert from "node:assert/strict";
import { nats } from "../../JavaScript/nats.js";
import { until } from "./server.js";

const key = "public.tally", root = "$KV.app.";
const encoder = new TextEncoder(), decoder = new TextDecoder();

/** @typedef {{ subject: string, reply: string, head: string, body: string }} Published */

/** A server that answers published messages with messages, or not at all. */
class FakeServer {
  /** @type {Published[]} */
  published = [];
  /** @type {string[]} */
  consumers = [];
  info = { version: "2.10.27", max_payload: 1_000, cluster: "pages" };
  /** @type {any} */
  socket;

  constructor(/** @type {(published: Published) => string | undefined} */ answer) {
    this.answer = answer;
    // deno-lint-ignore no-this-alias
    const server = this;
    /** @type {any} */
    this.window = {
      setTimeout: globalThis.setTimeout.bind(globalThis),
      clearTimeout: globalThis.clearTimeout.bind(globalThis),
      setInterval: globalThis.setInterval.bind(globalThis),
      clearInterval: globalThis.clearInterval.bind(globalThis),
      queueMicrotask: globalThis.queueMicrotask.bind(globalThis),
      WebSocket: class {
        constructor() {
          server.socket = this;
          setTimeout(() => server.tell(`INFO ${JSON.stringify(server.info)}\r\n`));
        }
        send(/** @type {Uint8Array} */ bytes) {
          server.hear(decoder.decode(bytes));
        }
        close() {}
      },
    };
    this.engine = nats({ servers: ["ws://fake"], bucket: "app" }, this.window);
  }

  /** Sends bytes in a given number of pieces. */
  tell(/** @type {string} */ text, pieces = 1) {
    const bytes = encoder.encode(text), size = Math.ceil(bytes.length / pieces);
    for (let at = 0; at < bytes.length; at += size) {
      this.socket.onmessage?.({ data: bytes.slice(at, at + size).buffer });
    }
  }

  hear(/** @type {string} */ text) {
    const [first, ...rest] = text.split("\r\n"), [verb, subject, ...words] = first.split(" ");
    if (verb === "CONNECT") this.tell("PONG\r\n");
    if (verb === "SUB" && subject.startsWith("watch.")) this.consumers.push(words[0]);
    if (!/^H?PUB$/.test(verb)) return;
    const body = rest[rest.length - 2],
      head = verb === "HPUB" ? rest.slice(0, -2).join("\r\n") : "";
    const published = { subject, reply: words[0], head, body };
    this.published.push(published);
    const answer = subject.startsWith("KVAPI.")
      ? message(published.reply, "0", "{}")
      : this.answer(published);
    if (answer) setTimeout(() => this.tell(answer));
  }

  count(/** @type {RegExp} */ pattern) {
    return this.published.filter(({ subject }) => pattern.test(subject)).length;
  }
}

const message = (
  /** @type {string} */ subject,
  /** @type {string} */ id,
  /** @type {string} */ body,
  head = "",
  reply = "",
) => {
  const size = encoder.encode(body).length;
  const sizes = head ? `${head.length} ${head.length + size}` : `${size}`;
  return `${head && "H"}MSG ${subject} ${id} ${reply && reply + " "}${sizes}\r\n${head}${body}\r\n`;
};

const record = (/** @type {unknown} */ text) => JSON.stringify({ seen: [], text });

/** Returns the answer to a direct get. */
const found = (
  /** @type {Published} */ { reply },
  /** @type {number} */ revision,
  text = `${revision}`,
) => message(reply, "0", record(text), `NATS/1.0\r\nNats-Sequence: ${revision}\r\n\r\n`);

/** Returns a message of a consumer. */
const news = (
  /** @type {string} */ id,
  /** @type {number} */ revision,
  /** @type {number} */ number,
) =>
  message(
    root + key,
    id,
    record(`${revision}`),
    "",
    `$JS.ACK.KV_app.c.1.${revision}.${number}.0.0`,
  );

const test = (/** @type {string} */ name, /** @type {() => Promise<FakeServer>} */ body) =>
  Deno.test({
    name,
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      (await body()).engine.close();
    },
  });

test("an answer may come in pieces of any size", async () => {
  const server = new FakeServer((published) => {
    server.tell(found(published, 3, "ü\r\n🎉".repeat(9)), 999);
    return undefined;
  });
  const { stored } = await server.engine.load([key], "me");
  assert.deepEqual(stored, [{ key, revision: 3, text: "ü\r\n🎉".repeat(9) }]);
  return server;
});

test("a key is written as one that NATS takes", async () => {
  const names = {
    "public.Tally_1-2": "public.Tally_1-2",
    "a b*": "a=20b=2A",
    ".a..b.": "=2Ea.=2Eb=2E",
    "ü~=/%": "=C3=BC=7E=3D=2F=25",
    "": "=",
  };
  const server = new FakeServer((published) => found(published, 1));
  for (const [name, written] of Object.entries(names)) {
    await server.engine.load([name], "me");
    const subject = `$JS.API.DIRECT.GET.KV_app.${root}${written}`;
    assert.ok(server.published.some((published) => published.subject === subject), name);
  }
  return server;
});

test("a replica that is behind is asked again", async () => {
  const answers = [5, 3, 4, 6];
  const server = new FakeServer((published) => found(published, answers.shift() ?? 6));
  await server.engine.load([key], "me");
  assert.equal((await server.engine.load([key], "me")).stored[0].revision, 6);
  return server;
});

test("after a conflict, no record that is older than that is taken", async () => {
  const answers = [5, 5, 5, 7];
  const conflicts = [[10071, "wrong last sequence: 7"], [10164, "wrong last sequence"]];
  /** @type {string[]} */
  const bases = [];
  const server = new FakeServer((published) => {
    const { subject, head, reply } = published;
    if (subject !== root + key) return found(published, answers.shift() ?? 9);
    bases.push(head.trim().split(" ").at(-1) ?? "");
    const [err_code, description] = conflicts.shift() ?? [];
    const error = err_code && { code: 400, err_code, description };
    return message(reply, "0", JSON.stringify(error ? { error } : { stream: "KV_app", seq: 10 }));
  });
  const commit = {
    client: "me",
    after: 0,
    through: 1,
    entries: [{ key, expected: 5, text: "mine" }],
  };
  const { stored } = await server.engine.commit(
    commit,
    ([{ revision, text }]) => [{ key, expected: revision, text: text + " mine" }],
  );
  assert.deepEqual(bases, ["5", "7", "9"]);
  assert.deepEqual(stored, [{ key, revision: 10, text: "9 mine" }]);
  return server;
});

test("after a gap in what a consumer sends, it is replaced", async () => {
  const server = new FakeServer((published) => found(published, 3));
  /** @type {(string | null)[]} */
  const heard = [];
  server.engine.watch((stored) => heard.push(...stored.map(({ text }) => text)));
  await server.engine.load([key], "me");
  const [id] = server.consumers;
  server.tell(news(id, 3, 1) + news(id, 4, 2));
  server.tell(news(id, 6, 4)); // 5 is lost
  await until(() => server.consumers.length === 2);
  server.tell(news(id, 7, 5)); // of the replaced consumer
  const next = server.consumers[1];
  server.tell(news(next, 6, 1) + news(next, 8, 2));
  await until(() => heard.length === 3);
  assert.deepEqual(heard, ["4", "6", "8"]);
  const beat = "NATS/1.0 100 Idle Heartbeat\r\nNats-Last-Consumer: 2\r\n\r\n";
  server.tell(message("watch.x", next, "", beat));
  assert.equal(server.consumers.length, 2);
  server.tell(message("watch.x", next, "", beat.replace("2", "3")));
  assert.equal(server.consumers.length, 3);
  return server;
});

test("flow control is answered, and nothing else that looks like it", async () => {
  const server = new FakeServer((published) => found(published, 3));
  await server.engine.load([key], "me");
  const [id] = server.consumers, flow = "NATS/1.0 100 FlowControl Request\r\n\r\n";
  server.tell(message("watch.x", id, "", flow, "$JS.FC.KV_app.c.1"));
  const stalled = "NATS/1.0 100 Idle Heartbeat\r\nNats-Consumer-Stalled: $JS.FC.KV_app.c.2\r\n\r\n";
  server.tell(message("watch.x", id, "", stalled));
  server.tell(message("watch.x", id, "", flow, root + "alice.secret"));
  assert.equal(server.count(/^\$JS\.FC\.KV_app\.c\.[12]$/), 2);
  assert.equal(server.count(/secret/), 0);
  assert.equal(server.consumers.length, 1);
  return server;
});

test("a bucket without a leader is unavailable", async () => {
  const server = new FakeServer(({ reply }) => message(reply, "0", "", "NATS/1.0 503\r\n\r\n"));
  const isUnavailable = (/** @type {any} */ { name }) => name === "UnavailableError";
  await assert.rejects(server.engine.load([key], "me"), isUnavailable);
  return server;
});
