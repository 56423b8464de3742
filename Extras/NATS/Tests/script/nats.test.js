// @ts-check
/// <reference lib="deno.ns" />
// The NATS engine with a real server, and with a proxy for network failures.

import assert from "node:assert/strict";
import { Client, increment, isForClusters, Server, sleep, until } from "./server.js";

/** @typedef {import("../../../../JavaScript/sharing.d.ts").Stored} Stored */

const key = "public.tally";
/** Values that are not records, for native programs, too: ../command/test_nats_native.py. */
const NO_RECORDS = JSON.parse(Deno.readTextFileSync(new URL("no-records.json", import.meta.url)));

/** A test with a server of its own. */
const test = (
  /** @type {string} */ name,
  /** @type {(server: Server) => Promise<void>} */ body,
  /** @type {{ hasBucket?: boolean, clusters?: boolean, maxPayload?: number, ignore?: boolean }} */
  { ignore = false, ...options } = {},
) =>
  Deno.test({
    name,
    ignore,
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      await using server = await Server.start(options);
      await body(server);
    },
  });

const never = () => {
  throw { name: "RebaseError", message: "It is not made anew." };
};

/** A commit of one text. */
const one = (
  /** @type {string} */ client,
  /** @type {number} */ after,
  /** @type {number} */ expected,
  /** @type {string | null} */ text,
  name = key,
) => ({ client, after, through: after + 1, entries: [{ key: name, expected, text }] });

const named = (/** @type {string} */ name) => (/** @type {any} */ error) => error?.name === name;

/** Returns the stored value of a key, as loaded by an engine. */
const load = async (/** @type {any} */ engine, name = key, client = "none") => {
  for (;;) {
    try {
      const { stored, applied } = await engine.load([name], client);
      return { ...stored[0], applied };
    } catch (/** @type {any} */ error) {
      if (error.name !== "UnavailableError") throw error;
    }
  }
};

/** Follows a key: returns the received values, and whether each revision was new. */
const following = (/** @type {any} */ engine) => {
  /** @type {Stored[]} */
  const heard = [];
  engine.watch((/** @type {Stored[]} */ news) => heard.push(...news));
  return heard;
};

const grows = (/** @type {Stored[]} */ heard) =>
  heard.every(({ revision }, at) => at === 0 || revision > heard[at - 1].revision);

const times = (/** @type {number} */ count, /** @type {(index: number) => any} */ body) =>
  Promise.all(Array.from({ length: count }, (_, index) => body(index)));

const append = (/** @type {number} */ number) => (/** @type {string | null} */ text) =>
  text ? `${text},${number}` : `${number}`;

const upTo = (/** @type {number} */ count) => Array.from({ length: count }, (_, at) => at).join();

test("a key that was never stored has revision 0", async (server) => {
  const { stored, applied } = await server.engine().load([key, "public.other"], "me");
  assert.deepEqual(stored, [
    { key, revision: 0, text: null },
    { key: "public.other", revision: 0, text: null },
  ]);
  assert.equal(applied, null);
});

test("a commit is stored, with the client's last step", async (server) => {
  const engine = server.engine();
  const { stored: [{ revision }], applied } = await engine.commit(one("me", 0, 0, "ü\n"), never);
  assert.equal(applied, 1);
  const next = await engine.commit(one("me", 1, revision, null), never);
  assert.ok(next.stored[0].revision > revision);
  const other = server.engine({ as: "bob" });
  assert.deepEqual(await load(other, key, "me"), { ...next.stored[0], applied: 2 });
});

test("a commit that comes twice is stored once", async (server) => {
  const [one1, two] = [server.engine(), server.engine()];
  const first = await one1.commit(one("me", 0, 0, "1"), never);
  assert.deepEqual(await one1.commit(one("me", 0, 0, "1"), never), first);
  assert.deepEqual(await two.commit(one("me", 0, 0, "1"), never), first);
  assert.equal((await load(server.engine())).revision, first.stored[0].revision);
});

test("two commits that are the same at the same moment are stored once", async (server) => {
  const engines = [server.engine(), server.engine(), server.engine()];
  const answers = await times(3, (index) => engines[index].commit(one("me", 0, 0, "1"), never));
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
});

test("a commit that was made from an older revision is made again", async (server) => {
  const [mine, other] = [server.engine(), server.engine({ as: "bob" })];
  await load(mine);
  await other.commit(one("other", 0, 0, "theirs"), never);
  const asked = /** @type {unknown[][]} */ ([]);
  const { stored } = await mine.commit(one("me", 0, 0, "mine"), (now, applied) => {
    asked.push([now[0].text ?? "", applied]);
    return [{ key, expected: now[0].revision, text: now[0].text + " and mine" }];
  });
  assert.deepEqual(asked, [["theirs", 0]]);
  assert.equal(stored[0].text, "theirs and mine");
  assert.equal((await load(other)).text, "theirs and mine");
  const late = { ...one("me", 0, -1, "x"), through: 2 };
  await mine.commit(late, (now, applied) => {
    asked.push([now[0].text ?? "", applied]);
    return [{ key, expected: now[0].revision, text: "last" }];
  });
  assert.deepEqual(asked[1], ["theirs and mine", 1]);
  await assert.rejects(mine.commit(one("me", 2, -1, "x"), never), named("RebaseError"));
  assert.equal((await load(other)).text, "last");
});

test("copies are stored first, whatever is there", async (server) => {
  const engine = server.engine();
  const copy = { key: key + ".replaced", expected: null, text: "old" };
  for (const after of [0, 1]) {
    const { entries: [main], ...rest } = one("me", after, -1, "new");
    const { stored, applied } = await engine.commit(
      { ...rest, entries: [main, copy] },
      ([{ revision }]) => [{ ...main, expected: revision }, copy],
    );
    assert.deepEqual(stored.map(({ text }) => text), ["new", "old"]);
    assert.ok(stored[0].revision > stored[1].revision);
    assert.equal(applied, after + 1);
  }
  assert.equal((await load(engine, key + ".replaced")).text, "old");
});

test("the last step of a client is that of a value, not of its copy", async (server) => {
  const engine = server.engine(), keys = [key, key + ".replaced"];
  const applied = async (/** @type {string[]} */ ...keys) =>
    (await engine.load(keys, "me")).applied;
  await engine.commit(one("me", 0, 0, "1"), never);
  assert.equal(await applied(...keys), 1);
  const copy = { key: keys[1], expected: null, text: "old" };
  await engine.commit({ client: "me", after: 1, through: 2, entries: [copy] }, never);
  assert.equal(await applied(...keys), 1);
  assert.equal(await applied(key, "public.other"), null);
  assert.equal(await applied(), null);
});

test("what cannot be made again but as a copy counts as done", async (server) => {
  const engine = server.engine();
  await engine.commit(one("other", 0, 0, "theirs"), never);
  const copy = { key: key + ".replaced", expected: null, text: "mine" };
  const { stored, applied } = await engine.commit(one("me", 0, 0, "mine"), () => [copy]);
  assert.deepEqual([stored[0].text, applied], ["theirs", 1]);
  assert.equal((await load(server.engine(), key, "me")).applied, 1);
});

for (const count of [2, 4]) {
  test(`${count} engines that count at once keep all steps`, async (server) => {
    const clients = await times(
      count,
      (index) => new Client(server.engine({ as: index % 2 ? "bob" : "alice" }), `c${index}`, key),
    );
    await times(count, async (index) => {
      for (let step = 0; step < 300; step++) await clients[index].update(increment);
    });
    assert.equal((await load(server.engine())).text, `${count * 300}`);
  });
}

test("a follower is told each change once, in order", async (server) => {
  const [writer, follower] = [server.engine(), server.engine({ as: "bob" })];
  const client = new Client(writer, "me", key);
  await client.update(increment);
  const heard = following(follower);
  assert.equal((await load(follower)).text, "1");
  for (let step = 0; step < 50; step++) await client.update(increment);
  await until(() => heard.at(-1)?.text === "51");
  assert.deepEqual(
    heard.map(({ text }) => text),
    Array.from({ length: 50 }, (_, at) => `${at + 2}`),
  );
  assert.ok(grows(heard));
  await client.update(() => null);
  await until(() => heard.at(-1)?.text === null);
});

test("20 lost answers with a second writer lose and repeat nothing", async (server) => {
  const proxy = await server.proxy(), witness = server.engine();
  const mine = new Client(server.engine({ through: proxy }), "me", key);
  const other = new Client(server.engine({ as: "bob" }), "other", key);
  for (let lost = 0; lost < 20; lost++) {
    await mine.update(increment);
    const { failures } = mine, step = mine.step + 1;
    proxy.swallowsAnswers = true;
    const updated = mine.update(increment);
    await until(async () => (await load(witness, key, "me")).applied === step);
    if (lost % 2) await other.update(increment);
    proxy.cut();
    await until(() => mine.failures > failures);
    proxy.swallowsAnswers = false;
    await times(2, (index) => index ? updated : other.update(increment));
  }
  assert.equal((await load(witness)).text, `${mine.step + other.step}`);
  assert.equal(mine.step + other.step, 70);
});

test("connections that are cut at any moment lose and repeat nothing", async (server) => {
  const proxies = [await server.proxy(), await server.proxy()];
  const clients = await times(
    2,
    (index) => new Client(server.engine({ through: proxies[index] }), `c${index}`, key),
  );
  let isDone = false;
  const all = times(2, async (index) => {
    while (!isDone) await clients[index].update(increment);
  });
  for (let cut = 0; cut < 20; cut++) {
    const { step } = clients[cut % 2];
    await until(() => clients[cut % 2].step > step + 2);
    await sleep(Math.random() * 5);
    proxies[cut % 2].cut();
  }
  isDone = true;
  await all;
  assert.equal((await load(server.engine())).text, `${clients[0].step + clients[1].step}`);
});

test("100 steps that wait for the server are stored in order", async (server) => {
  const proxy = await server.proxy();
  const client = new Client(server.engine({ through: proxy }), "me", key);
  await client.update(append(0));
  proxy.refuses = true;
  proxy.cut();
  const updates = times(99, (index) => client.update(append(index + 1)));
  await sleep(4_000);
  proxy.refuses = false;
  await updates;
  assert.ok(client.failures > 0);
  assert.equal((await load(server.engine())).text, upTo(100));
});

test("a server that is killed and comes again has what it has answered", async (server) => {
  const clients = await times(2, (index) => new Client(server.engine(), `c${index}`, key));
  const follower = server.engine({ as: "bob" }), heard = following(follower);
  await load(follower);
  let isDone = false;
  const all = times(2, async (index) => {
    while (!isDone) await clients[index].update(increment);
  });
  const hasFailed = () => clients.some(({ failures }) => failures > 0);
  for (let kills = 0; kills < 10 && !hasFailed(); kills++) { // until a commit is under way
    const { step } = clients[0];
    await until(() => clients[0].step > step + 50);
    await server.kill();
    await sleep(500);
    await server.run();
  }
  assert.ok(hasFailed());
  const steps = clients.map(({ step }) => step);
  await until(() => clients.every(({ step }, index) => step > steps[index] + 50));
  isDone = true;
  await all;
  const total = `${clients[0].step + clients[1].step}`;
  assert.equal((await load(server.engine())).text, total);
  await until(() => heard.at(-1)?.text === total);
  assert.ok(grows(heard));
});

test("a connection that has fallen silent is replaced, and the follower hears", async (server) => {
  const proxy = await server.proxy();
  const follower = server.engine({ as: "bob", through: proxy });
  const heard = following(follower), client = new Client(server.engine(), "me", key);
  await load(follower);
  await client.update(increment);
  await until(() => heard.at(-1)?.text === "1");
  proxy.swallowsAnswers = proxy.swallowsQuestions = true;
  await client.update(increment);
  await until(() => proxy.count > 1);
  proxy.swallowsAnswers = proxy.swallowsQuestions = false;
  await until(() => heard.at(-1)?.text === "2");
  assert.ok(grows(heard));
});

test("an idle connection that has fallen silent is replaced", async (server) => {
  const proxy = await server.proxy(), engine = server.engine({ through: proxy });
  /** @type {boolean[]} */
  const states = [];
  engine.status(({ isConnected }) => states.push(isConnected));
  await until(() => states.at(-1));
  proxy.swallowsAnswers = proxy.swallowsQuestions = true;
  await until(() => !states.at(-1));
  proxy.swallowsAnswers = proxy.swallowsQuestions = false;
  await until(() => states.at(-1));
});

test("a consumer that is gone is made anew on the same connection", async (server) => {
  const proxy = await server.proxy();
  const follower = server.engine({ as: "bob", through: proxy });
  const heard = following(follower), client = new Client(server.engine(), "me", key);
  await load(follower);
  const names = async () => (await server.ask("$JS.API.CONSUMER.NAMES.KV_app", "")).consumers;
  await until(async () => (await names()).length === 1);
  const [name] = await names();
  await server.ask(`$JS.API.CONSUMER.DELETE.KV_app.${name}`, "");
  await client.update(increment);
  await until(() => heard.at(-1)?.text === "1");
  assert.equal(proxy.count, 1);
});

test("late answers change nothing", async (server) => {
  const proxy = await server.proxy();
  proxy.delay = 30;
  const clients = await times(
    2,
    (index) => new Client(server.engine(index ? {} : { through: proxy }), `c${index}`, key),
  );
  await times(2, async (index) => {
    for (let step = 0; step < 20; step++) await clients[index].update(increment);
  });
  assert.equal((await load(server.engine())).text, "40");
});

test("the next server is tried", async (server) => {
  const servers = ["ws://127.0.0.1:9", server.address];
  assert.equal((await load(server.engine({ servers }))).revision, 0);
  assert.equal((await load(server.engine({ servers: servers.reverse() }))).revision, 0);
});

test("without a server, a load fails, and the status says so", async (server) => {
  await server.kill();
  const engine = server.engine();
  await assert.rejects(engine.load([key], "me"), named("UnavailableError"));
  await assert.rejects(engine.commit(one("me", 0, 0, "1"), never), named("UnavailableError"));
  /** @type {any[]} */
  const states = [];
  engine.status((status) => states.push(status));
  assert.equal(states.length, 1);
  assert.equal(states[0].isConnected, false);
  await server.run();
  await until(() => states.at(-1).isConnected);
});

test("after each connection there is news, if only that", async (server) => {
  const engine = server.engine();
  let count = 0;
  engine.watch(() => count += 1);
  await load(engine);
  await until(() => count === 1);
  await server.kill();
  await server.run();
  await until(() => count === 2);
});

test("what could not be loaded is told when the server is back, be it nothing", async (server) => {
  await new Client(server.engine({ as: "bob" }), "other", key).update(increment);
  await server.kill();
  const engine = server.engine(), heard = following(engine), keys = [key, "public.nothing"];
  await assert.rejects(engine.load(keys, "me"), named("UnavailableError"));
  await server.run();
  await until(() => heard.length === 2);
  const told = heard.map(({ key, text }) => [key, text]);
  assert.deepEqual(told.sort(), [["public.nothing", null], [key, "1"]]);
});

test("a wrong password is told, and the right one is asked for again", async (server) => {
  let pass = "wrong", calls = 0;
  const credentials = () => {
    calls += 1;
    return Promise.resolve({ user: "alice", pass });
  };
  const engine = server.engine({ credentials });
  let message = "";
  engine.status((status) => message = status.message);
  await until(() => /Authorization Violation/.test(message));
  await assert.rejects(
    engine.load([key], "me"),
    /** @type {any} */ (
      (/** @type {any} */ error) => /Authorization Violation/.test(error.message)
    ),
  );
  pass = "secret";
  assert.equal((await load(engine)).revision, 0);
  assert.ok(calls > 1);
});

test("credentials that are no longer valid are renewed, and nothing is lost", async (server) => {
  let calls = 0;
  const credentials = () => {
    calls += 1;
    return { user: "alice", pass: server.users.alice }; // the current password
  };
  const client = new Client(server.engine({ credentials }), "me", key);
  await client.update(increment);
  server.users = { ...server.users, alice: "another" };
  server.reload();
  await until(async () => {
    await client.update(increment);
    return calls > 1;
  });
  await client.update(increment);
  assert.equal((await load(server.engine())).text, `${client.step}`);
});

test("credentials that cannot be had are asked for again", async (server) => {
  let isBroken = true;
  const credentials = () => {
    if (isBroken) throw Error("The login is down.");
    return { user: "alice", pass: "secret" };
  };
  const engine = server.engine({ credentials });
  let message = "";
  engine.status((status) => message = status.message);
  await until(() => message === "The login is down.");
  isBroken = false;
  await load(engine);
});

test("a key whose changes the user may not hear of is denied, and others go on", async (server) => {
  // Users without permission to create a consumer, or to receive its messages.
  for (const given of [{ as: "carl" }, { watch: "watch.bob" }]) {
    const engine = server.engine(given), going = new Client(engine, "me", key);
    for (let time = 0; time < 3; time++) {
      await assert.rejects(engine.load([key], "me"), named("DeniedError"));
    }
    await going.update(increment);
    let status = /** @type {any} */ (null), changes = 0;
    engine.status((/** @type {any} */ now) => changes++ && (status = now));
    await going.update(increment);
    assert.equal(status, null, "the connection is lost");
  }
  await load(server.engine());
});

test("who may no longer hear of a key is told once, and again of it when that is over", async (server) => {
  const engine = server.engine(), other = server.engine({ as: "bob" });
  /** @type {any[]} */
  const failures = [];
  /** @type {Stored[]} */
  const heard = [];
  engine.watch(
    (/** @type {Stored[]} */ news) => heard.push(...news),
    (/** @type {any} */ { name }, /** @type {any} */ key) => failures.push([name, key]),
  );
  const client = new Client(other, "other", key), own = new Client(engine, "me", "public.own");
  await engine.load([key, "public.second"], "me");
  server.deaf.push("alice");
  // It requests on each connection, and is rejected on each.
  for (let time = 0; time < 2; time++) {
    await server.kill();
    await server.run();
    await until(() => failures.length > 1);
    await own.update(increment);
  }
  assert.deepEqual(failures.sort(), [["DeniedError", "public.second"], ["DeniedError", key]]);
  await assert.rejects(engine.load([key], "me"), named("DeniedError"));
  await client.update(increment);
  assert.deepEqual(heard, []);
  server.deaf.pop();
  await server.kill();
  await server.run();
  await until(() => heard.some(({ key, text }) => key === "public.second" && text === null));
  await until(() => heard.some(({ key, text }) => key === "public.tally" && text === "1"));
  await client.update(increment);
  await until(() => heard.some(({ text }) => text === "2"));
  assert.equal(failures.length, 2);
});

test("that the server takes no more consumers is told once, and tried again", async (server) => {
  await server.createBucket({ max_consumers: 1 });
  const [first, engine] = [server.engine({ as: "bob" }), server.engine()];
  const heard = /** @type {Stored[]} */ ([]);
  const failures = /** @type {string[]} */ ([]);
  const fail = (/** @type {any} */ { name }) => failures.push(name);
  engine.watch((/** @type {Stored[]} */ news) => heard.push(...news), fail);
  const consumers = async () => (await server.ask("$JS.API.CONSUMER.NAMES.KV_app", "")).consumers;
  await load(first, "public.first");
  await until(async () => (await consumers())?.length === 1);
  await load(engine).catch(fail); // the server may read before it rejects a consumer
  await until(() => failures.length > 0);
  first.close();
  await sleep(9_000); // it is recreated after 8 seconds, and rejected again
  const client = new Client(server.engine({ as: "bob" }), "other", key);
  await client.update(increment);
  assert.deepEqual(failures, ["QuotaError"]);
  const [name] = await consumers();
  await server.ask(`$JS.API.CONSUMER.DELETE.KV_app.${name}`, "");
  await until(() => heard.some((each) => each.text === "1"));
}, { hasBucket: false });

test("another user's key is denied, and others go on", async (server) => {
  const engine = server.engine(), client = new Client(engine, "me", key);
  const going = (async () => {
    for (let step = 0; step < 50; step++) await client.update(increment);
  })();
  await assert.rejects(engine.load(["bob.mine"], "me"), named("DeniedError"));
  const theirs = one("me", 0, 0, "x", "bob.mine");
  await assert.rejects(engine.commit(theirs, never), named("DeniedError"));
  await going;
  assert.equal(client.failures, 0);
  assert.equal((await load(server.engine({ as: "bob" }), "bob.mine")).revision, 0);
});

test("a prefix for answers that is another's is told", async (server) => {
  const engine = server.engine({ inbox: "_INBOX_bob" });
  let message = "";
  engine.status((status) => message = status.message);
  await until(() => /Permissions Violation for Subscription/.test(message));
});

test("a value that is too large is refused before it is sent", async (server) => {
  const engine = server.engine(), client = new Client(engine, "me", key);
  await client.update(increment);
  await assert.rejects(client.update(() => "x".repeat(9_000)), named("QuotaError"));
  const longKey = "public." + "x".repeat(5_000);
  await assert.rejects(engine.load([longKey], "me"), named("QuotaError"));
  await new Client(engine, "other", key).update(increment);
  assert.equal((await load(server.engine())).text, "2");
}, { maxPayload: 8_192 });

test("a large value arrives whole", async (server) => {
  const follower = server.engine({ as: "bob" }), heard = following(follower);
  await load(follower);
  const text = "ü🎉\r\n ".repeat(40_000);
  await new Client(server.engine(), "me", key).update(() => text);
  await until(() => heard.at(-1)?.text === text);
  assert.equal((await load(server.engine())).text, text);
});

test("a record of another program is told as damage, and can be replaced", async (server) => {
  const engine = server.engine(), heard = following(engine);
  for (const text of NO_RECORDS) {
    await server.ask(`$KV.app.${key}`, text);
    const found = await load(server.engine(), key);
    assert.equal(found.text, "No record: " + text);
    assert.equal(found.applied, null);
  }
  const { revision } = await load(engine);
  const { stored } = await engine.commit(one("me", 0, revision, "1"), never);
  assert.equal((await load(server.engine())).text, "1");
  await server.ask(`$KV.app.${key}`, "again");
  await until(() => heard.at(-1)?.text === "No record: again");
  assert.ok(stored[0].revision < /** @type {Stored} */ (heard.at(-1)).revision);
  await server.ask(`$KV.app.${key}`, "");
  assert.equal((await load(server.engine())).text, null);
});

test("without a bucket, a message says what to do", async (server) => {
  const engine = server.engine();
  await assert.rejects(
    engine.load([key], "me"),
    /** @type {any} */ (
      (/** @type {any} */ { name, message }) => name === "NotFoundError" && /KV_app/.test(message)
    ),
  );
  await server.createBucket();
  const heard = following(engine);
  await new Client(engine, "me", key).update(increment);
  await new Client(server.engine(), "other", key).update(increment);
  await until(() => heard.at(-1)?.text === "2");
}, { hasBucket: false });

test("a bucket that was made anew can be used", async (server) => {
  const client = new Client(server.engine(), "me", key);
  for (let step = 0; step < 5; step++) await client.update(increment);
  await server.ask("$JS.API.STREAM.DELETE.KV_app", "");
  await server.createBucket();
  await client.update(increment);
  assert.equal((await load(server.engine())).text, "1");
  const other = server.engine();
  const { stored } = await other.commit(
    one("other", 0, 500, "x", "public.other"),
    ([{ revision }]) => one("other", 0, revision, "anew", "public.other").entries,
  );
  assert.equal(stored[0].text, "anew");
});

test("a value can be loaded from a bucket that was made anew", async (server) => {
  const engine = server.engine(), client = new Client(engine, "me", key);
  for (let step = 0; step < 5; step++) await client.update(increment);
  await server.ask("$JS.API.STREAM.DELETE.KV_app", "");
  await server.createBucket();
  await server.ask(`$KV.app.${key}`, '{"seen":[],"text":"40"}');
  const { stored: [{ revision, text }], applied } = await engine.load([key], "me");
  assert.ok(revision > 5, "The revision does not grow.");
  assert.deepEqual([text, applied], ["40", null]);
});

test("who only reads is shown a bucket that was restored, and what is stored there", async (server) => {
  const heard = following(server.engine()), reader = server.opened.at(-1);
  await load(reader);
  const client = new Client(server.engine(), "me", key);
  for (let step = 0; step < 5; step++) await client.update(increment);
  await until(() => heard.at(-1)?.text === "5");
  const restore = async (/** @type {string[]} */ texts) => {
    await server.ask("$JS.API.STREAM.DELETE.KV_app", "");
    await server.createBucket();
    for (const text of texts) await server.ask(`$KV.app.${key}`, `{"seen":[],"text":"${text}"}`);
  };
  await restore(["40"]);
  await until(() => heard.at(-1)?.text === "40");
  await client.update(increment);
  await until(() => heard.at(-1)?.text === "41");
  // As many revisions as before, with other texts.
  await restore(["50", "51"]);
  await until(() => heard.at(-1)?.text === "51");
  await restore([]);
  await until(() => heard.at(-1)?.text === null);
  assert.ok(grows(heard), JSON.stringify(heard));
});

test("a copy of a replaced value in a bucket that was restored is not told", async (server) => {
  const copy = `${key}.replaced`, engine = server.engine(), heard = following(engine);
  await server.ask(`$KV.app.${copy}`, '{"seen":[],"text":"old"}');
  await server.ask(`$KV.app.${copy}`, '{"seen":[],"text":"new"}');
  await server.ask(`$KV.app.${key}`, '{"seen":[],"text":"1"}');
  await engine.load([key, copy], "me");
  await server.ask("$JS.API.STREAM.DELETE.KV_app", "");
  await server.createBucket();
  await server.ask(`$KV.app.${copy}`, '{"seen":[],"text":"old"}');
  await server.ask(`$KV.app.${key}`, '{"seen":[],"text":"2"}');
  await until(() => heard.at(-1)?.text === "2");
  await sleep(3_000); // the consumer of the copies begins again, too
  assert.deepEqual(heard.filter((each) => each.key === copy && each.text === "old"), []);
});

test("any text is a key", async (server) => {
  const endings = [
    "",
    ".",
    "..",
    ".a",
    "a.",
    "a..b",
    "a...b",
    "a.=2e",
    "*",
    ">",
    "a.>",
    "a b",
    "\t\r\n\0",
    "ü",
    "日本🎉",
    "%20",
    "=20",
    "!~'()/\\\"",
  ];
  const keys = endings.map((ending) => "public.x" + ending);
  const engine = server.engine(), reader = server.engine({ as: "bob" }), heard = following(reader);
  await reader.load(keys, "me");
  await times(keys.length, (at) => engine.commit(one("me", 0, 0, `${at}`, keys[at]), never));
  const { stored } = await server.engine().load(keys, "me");
  assert.deepEqual(stored.map(({ text }) => text), keys.map((_, at) => `${at}`));
  await until(() => heard.length === keys.length);
  for (const { key, text } of heard) assert.equal(keys[Number(text)], key);
  const { messages } = (await server.ask("$JS.API.STREAM.INFO.KV_app", "")).state;
  assert.equal(messages, keys.length);
});

test("of 200 clients, a record keeps 64, and every step", async (server) => {
  const engines = [server.engine(), server.engine({ as: "bob" })];
  for (let round = 0; round < 20; round++) {
    await times(10, async (index) => {
      const client = new Client(engines[index % 2], `c${round}-${index}`, key);
      for (let step = 0; step < 3; step++) await client.update(increment);
    });
  }
  assert.equal((await load(server.engine())).text, "600");
  const name = `$JS.API.DIRECT.GET.KV_app.$KV.app.${key}`;
  const { seen } = await server.ask(name, "");
  assert.equal(seen.length, 64);
  assert.equal(new Set(seen.map((/** @type {any} */ [client]) => client)).size, 64);
});

test("of 200 clients, those whose answers are lost are known while 63 others commit", async (server) => {
  const proxy = await server.proxy(), witness = server.engine(), others = server.engine();
  let last = 0, total = 0; // 3 that wait, and 3 times 63, and 8
  const come = (/** @type {number} */ count) =>
    times(count, () => new Client(others, `c${++last}`, key).update(increment));
  for (
    const client of [1, 2, 3].map((at) =>
      new Client(server.engine({ through: proxy }), `w${at}`, key)
    )
  ) {
    await client.update(increment);
    proxy.swallowsAnswers = true;
    const updated = client.update(increment);
    await until(async () => (await load(witness, key, client.name)).applied === 2);
    await come(63);
    proxy.swallowsAnswers = false;
    proxy.cut();
    await updated;
    total += 65;
    assert.equal((await load(witness)).text, `${total}`);
    assert.ok(client.failures > 0);
  }
  await come(8);
  assert.equal((await load(witness)).text, `${total + 8}`);
});

test("a cluster of an old version is refused", async (server) => {
  const engine = server.engine();
  let status = { isConnected: false, message: "" };
  engine.status((now) => status = now);
  await until(() => /2\.10\.27/.test(status.message));
  await assert.rejects(engine.load([key], "me"), named("UnavailableError"));
}, { clusters: true, hasBucket: false, ignore: isForClusters });

test("a page that is left ends the connection, until it returns", async (server) => {
  const names = ["WebSocket", "crypto", "setTimeout", "clearTimeout", "setInterval"];
  const page = Object.assign(new EventTarget(), { console, clearInterval, queueMicrotask });
  for (const name of names) {
    const value = /** @type {any} */ (globalThis)[name];
    Object.assign(page, {
      [name]: name === "crypto" || name === "WebSocket" ? value : value.bind(globalThis),
    });
  }
  const { nats } = await import("../../JavaScript/nats.js");
  const options = {
    servers: [server.address],
    bucket: "app",
    credentials: () => ({ user: "alice", pass: "secret" }),
  };
  const engine = nats(options, /** @type {any} */ (page));
  server.opened.push(engine);
  const heard = following(engine);
  let isConnected = false;
  engine.status((status) => isConnected = status.isConnected);
  await load(engine);
  page.dispatchEvent(new Event("pagehide"));
  await until(() => !isConnected);
  await assert.rejects(engine.load([key], "me"), named("UnavailableError"));
  await new Client(server.engine(), "other", key).update(increment);
  page.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  await until(() => heard.at(-1)?.text === "1");
});

test("what is closed answers no more", async (server) => {
  const engine = server.engine();
  await load(engine);
  const late = engine.commit(one("me", 0, 0, "1"), never);
  engine.close();
  await assert.rejects(late, named("UnavailableError"));
  await assert.rejects(engine.load([key], "me"), named("UnavailableError"));
});
