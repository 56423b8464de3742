// @ts-check
// The engine of the article about custom engines, with the article's code, over a service on this
// machine.

import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { contractFailures } from "../../JavaScript/testing/contract.js";
import { codeLines, moduleOf } from "./article.js";
import { Service } from "./service.js";

const lines = codeLines("YourOwnEngine", "export const rest");
const { rest } = await moduleOf(lines);

/** Defines a test with a service of its own; its engines poll for changes until the test ends. */
const serviceTest = (
  /** @type {string} */ name,
  /** @type {(service: Service, connect: () => any) => Promise<void>} */ body,
) =>
  test(name, async () => {
    const service = new Service(), url = await service.start();
    let isOver = false;
    const setTimeout = (/** @type {() => void} */ run, /** @type {number} */ pause) =>
      isOver || globalThis.setTimeout(run, pause);
    try {
      await body(service, () => rest({ fetch, setTimeout }, url, 10));
    } finally {
      isOver = true;
      service.stop();
    }
  });

const notAgain = () => {
  throw { name: "RebaseError", message: "This is not to be made again." };
};

/** Commits one step of a client. */
const commit = (
  /** @type {any} */ engine,
  /** @type {any} */ entries,
  { client = "me", after = 0, rebase = /** @type {any} */ (notAgain) } = {},
) => engine.commit({ client, after, through: after + 1, entries }, rebase);

const entry = (/** @type {any} */ key, /** @type {any} */ expected, /** @type {any} */ text) => ({
  key,
  expected,
  text,
});

/** Returns the contents of a record. */
const record = (/** @type {Service} */ { resources }, /** @type {string} */ key) =>
  JSON.parse(resources.get(key)?.body ?? "null");

/** Retries while the service is unreachable, like a program. */
async function again(/** @type {() => Promise<any>} */ call) {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (/** @type {any} */ (error).name !== "UnavailableError") throw error;
    }
  }
}

/** Counts like a program whose answers may be lost. */
async function count(/** @type {any} */ engine, /** @type {number} */ times) {
  const client = crypto.randomUUID();
  const next = (/** @type {any} */ { revision, text }) => entry("tally", revision, `${+text + 1}`);
  let { stored: [base] } = await again(() => engine.load(["tally"], client));
  for (let after = 0; after < times; after++) {
    const entries = [next(base)], rebase = (/** @type {any} */ [stored]) => [next(stored)];
    const answer = await again(() => commit(engine, entries, { client, after, rebase }));
    base = answer.stored[0];
  }
}

const countAll = (/** @type {any[]} */ engines, /** @type {number} */ times) =>
  Promise.all(engines.map((engine) => count(engine, times)));

test("the engine has less than 80 lines, of at most 100 columns", () => {
  assert.ok(lines.length < 80, `${lines.length} lines`);
  assert.deepEqual(lines.filter((line) => line.length > 100), []);
});

serviceTest("the engine keeps the contract, also over what is stored", async (_, connect) => {
  assert.deepEqual(await contractFailures(connect, { times: 50 }), []);
  assert.deepEqual(await contractFailures(connect, { times: 10 }), []);
});

test("the engine keeps the contract over the service of the article", async () => {
  const lines = codeLines("YourOwnEngine", "createServer(").map((line) =>
    line.replace("3000", '0, "127.0.0.1"')
  );
  const { service } = await moduleOf(lines);
  if (!service.listening) await once(service, "listening");
  let isOver = false;
  const setTimeout = (/** @type {() => void} */ run, /** @type {number} */ pause) =>
    isOver || globalThis.setTimeout(run, pause);
  const url = `http://127.0.0.1:${service.address().port}/values`;
  try {
    const failures = await contractFailures(() => rest({ fetch, setTimeout }, url, 10), {
      times: 20,
    });
    assert.deepEqual(failures, []);
  } finally {
    isOver = true;
    service.close();
    service.closeAllConnections();
  }
});

for (const programs of [2, 4]) {
  serviceTest(`${programs} programs that count at once lose nothing`, async (service, connect) => {
    await countAll(Array.from({ length: programs }, connect), 100);
    assert.equal(record(service, "tally").text, `${programs * 100}`);
    assert.ok(service.log.some(([, , status]) => status === 412));
  });
}

serviceTest(
  "20 answers that are lost after the write, with a second writer",
  async (service, connect) => {
    let writes = 0, lost = 0;
    service.fault = (method) =>
      method === "PUT" && ++writes % 5 === 0 && lost < 20 && ++lost ? "lose" : undefined;
    await countAll([connect(), connect()], 100);
    assert.equal(lost, 20);
    assert.equal(record(service, "tally").text, "200");
  },
);

serviceTest("whatever goes wrong, four programs lose nothing", async (service, connect) => {
  /** @type {import("./service.js").Fault[]} */
  const faults = ["lose", undefined, 503, undefined, "cut", undefined, undefined];
  let requests = 0;
  service.fault = () => faults[requests++ % faults.length];
  await countAll([connect(), connect(), connect(), connect()], 50);
  assert.equal(record(service, "tally").text, "200");
});

serviceTest(
  "a service that is away for a while is back with the next try",
  async (service, connect) => {
    const engine = connect();
    service.fault = () => 503;
    await assert.rejects(engine.load(["tally"], "me"), { name: "UnavailableError" });
    await assert.rejects(commit(engine, [entry("tally", 0, "1")]), { name: "UnavailableError" });
    service.fault = () => undefined;
    assert.equal((await commit(engine, [entry("tally", 0, "1")])).applied, 1);
  },
);

serviceTest("errors have names", async (service, connect) => {
  const names = [];
  for (const status of [401, 403, 413, 507, 500, 502, 400, 405]) {
    service.fault = () => status;
    await assert.rejects(commit(connect(), [entry("a", 0, "1")]), ({ name, message }) => {
      return names.push(name) && message.includes(`${status}`);
    });
  }
  assert.deepEqual(names.slice(0, 4), ["DeniedError", "DeniedError", "QuotaError", "QuotaError"]);
  assert.deepEqual(names.slice(4), ["UnavailableError", "UnavailableError", "Error", "Error"]);
  service.stop();
  await assert.rejects(connect().load(["a"], "me"), { name: "UnavailableError" });
});

serviceTest(
  "of two keys, the one that was not stored yet is stored again",
  async (service, connect) => {
    const entries = [entry("a", 0, "1"), entry("b", 0, "2")], engine = connect();
    service.fault = (method, key) => method === "PUT" && key === "b" ? "cut" : undefined;
    await assert.rejects(commit(engine, entries), { name: "UnavailableError" });
    service.fault = () => undefined;
    const { stored, applied } = await commit(engine, entries);
    assert.deepEqual(
      stored.map((/** @type {any} */ { key, revision, text }) => [key, revision, text]),
      [["a", 1, "1"], ["b", 1, "2"]],
    );
    assert.equal(applied, 1);
  },
);

serviceTest("a step counts as stored when it is so under each key", async (_, connect) => {
  const engine = connect();
  await commit(engine, [entry("a", 0, "1")]);
  assert.equal((await engine.load(["a", "b"], "me")).applied, null);
  await commit(engine, [entry("b", 0, "1")], { after: 1 });
  assert.equal((await engine.load(["a", "b"], "me")).applied, 1);
  assert.equal((await engine.load([], "me")).applied, null);
});

serviceTest(
  "a copy is stored before what it is a copy of is replaced",
  async (service, connect) => {
    const engine = connect();
    await commit(engine, [entry("a", 0, "1")], { client: "other" });
    let loss = "1";
    const rebase = (/** @type {any} */ [stored]) => [
      entry("a", stored.revision, "2"),
      entry("a.replaced", null, loss),
    ];
    service.fault = (method, key) => method === "PUT" && key === "a" ? 503 : undefined;
    await assert.rejects(commit(engine, [entry("a", 0, "2")], { rebase }));
    assert.equal(record(service, "a.replaced").text, "1");
    service.fault = () => undefined;
    loss = "newer"; // another copy of the same step
    await commit(engine, [entry("a", 0, "2")], { rebase });
    assert.equal(record(service, "a.replaced").text, "newer");
    assert.equal(record(service, "a").text, "2");
  },
);

serviceTest("a copy keeps the number of a later step", async (service, connect) => {
  const engine = connect();
  await commit(engine, [entry("copy", 0, "1")], { after: 4 });
  await commit(engine, [entry("a", -1, "2")], { rebase: () => [entry("copy", null, "2")] });
  assert.deepEqual(record(service, "copy"), { seen: { me: 5 }, text: "2" });
});

serviceTest("changes are asked for, and what is known is not told", async (service, connect) => {
  const [one, two] = [connect(), connect()];
  /** @type {any[]} */
  const heard = [];
  const isHeard = async (/** @type {() => boolean} */ isDone) => {
    while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  two.watch(
    (/** @type {any} */ stored) =>
      heard.push(...stored.map((/** @type {any} */ { key, text }) => `${key} ${text}`)),
    (/** @type {any} */ { name }, /** @type {string} */ key) => heard.push(`${key} ${name}`),
  );
  await two.load(["a", "b"], "me");
  await commit(two, [entry("b", 0, "own")]);
  await commit(one, [entry("a", 0, "1")]);
  await isHeard(() => heard.includes("a 1"));
  service.fault = (_, key) => key === "b" ? 403 : undefined; // others continue
  await commit(one, [entry("a", 1, null)], { after: 1 });
  await isHeard(() => heard.includes("a null"));
  service.log = [];
  await isHeard(() => service.log.filter(([, key, status]) => key + status === "a304").length > 2);
  assert.deepEqual(heard.sort(), ["a 1", "a null", "b DeniedError"]);
});

serviceTest("the last 256 clients are known", async (service, connect) => {
  const engine = connect();
  for (let number = 0; number < 300; number++) {
    await commit(engine, [entry("a", number, "" + number)], { client: `client ${number}` });
  }
  await commit(engine, [entry("a", 300, "x")], { client: "client 44", after: 1 });
  const clients = Object.keys(record(service, "a").seen);
  assert.equal(clients.length, 256);
  assert.equal(clients[0], "client 45");
  assert.equal(clients.at(-1), "client 44");
});

serviceTest("what is no record fails, and is kept", async (service, connect) => {
  for (const body of ["", "{", "5", "{}", '{"seen":{},"text":5}', '{"text":"1"}']) {
    service.resources.set("a", { version: 3, body });
    const answers = [connect().load(["a"], "me"), commit(connect(), [entry("a", 3, "1")])];
    const outcomes = await Promise.allSettled(answers);
    assert.deepEqual(outcomes.map(({ status }) => status), ["rejected", "rejected"], body);
    assert.deepEqual(service.resources.get("a"), { version: 3, body });
  }
});

test("a service that does not know If-None-Match is not news each time", async () => {
  const body = JSON.stringify({ seen: {}, text: "1" });
  /** @type {unknown[]} */
  const heard = [];
  let pauses = 0;
  const engine = rest({
    fetch: () => Promise.resolve(new Response(body, { headers: { ETag: '"7"' } })),
    setTimeout: (/** @type {() => void} */ run) => ++pauses < 5 && setTimeout(run),
  }, "http://localhost/");
  await engine.load(["a"], "me");
  engine.watch((/** @type {unknown} */ stored) => heard.push(stored));
  while (pauses < 5) await new Promise((resolve) => setTimeout(resolve, 1));
  assert.deepEqual(heard, []);
});

test("an ETag may be weak, and has to be a number", async () => {
  const answering = (/** @type {HeadersInit} */ headers) => {
    const body = JSON.stringify({ seen: {}, text: "1" });
    const fetch = () => Promise.resolve(new Response(body, { headers }));
    return rest({ fetch }, "http://localhost/").load(["a"], "me");
  };
  assert.equal((await answering({ ETag: 'W/"7"' })).stored[0].revision, 7);
  for (const tag of ['"a7"', '"0"', "7", ""]) {
    await assert.rejects(answering({ ETag: tag }), { name: "Error", message: /ETag/ });
  }
  await assert.rejects(answering({}), { name: "Error", message: /ETag/ });
});
