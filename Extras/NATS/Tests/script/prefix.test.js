// @ts-check
/// <reference lib="deno.ns" />
// All keys under a prefix, followed by one consumer of a real server.

import assert from "node:assert/strict";
import { Client, Server, sleep, until } from "./server.js";

/** @typedef {import("../../../../JavaScript/sharing.d.ts").Stored} Stored */

/** A test with a server of its own. */
const test = (
  /** @type {string} */ name,
  /** @type {(server: Server) => Promise<void>} */ body,
) =>
  Deno.test({
    name,
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      await using server = await Server.start();
      await body(server);
    },
  });

/** A program's dictionary from a listing: the texts by key. */
class Listing {
  /** @type {Record<string, string>} */
  entries = {};
  wholes = 0;
  changes = 0;

  /** Begins to follow a prefix. */
  constructor(
    /** @type {any} */ engine,
    prefix = "public.",
    /** @type {AbortSignal | undefined} */ signal = undefined,
    /** @type {(error: any) => void} */ onFailure = () => {},
  ) {
    this.told = engine.list(
      prefix,
      (/** @type {Stored[]} */ stored, /** @type {boolean} */ all) => {
        if (all) this.entries = {};
        all ? this.wholes++ : this.changes++;
        for (const { key, text } of stored) {
          if (text === null) delete this.entries[key];
          else this.entries[key] = text;
        }
      },
      signal,
      onFailure,
    );
  }

  /** Waits until the entries are these. */
  async expect(/** @type {Record<string, string>} */ entries) {
    await until(() => isSame(this.entries, entries), JSON.stringify(entries).slice(0, 200));
  }
}

const isSame = (/** @type {any} */ one, /** @type {any} */ other) =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.keys(one).every((key) => one[key] === other[key]);

/** Stores a text under a key, or removes it. */
const put = (/** @type {any} */ engine, /** @type {string} */ key, /** @type {any} */ text) =>
  new Client(engine, `${Math.random()}`, key).update(() => text);

test("a listing ends when its signal is aborted, and another one goes on", async (server) => {
  const engine = server.engine(), ends = new AbortController();
  const ended = new Listing(engine, "public.", ends.signal), other = new Listing(engine);
  await Promise.all([ended.told, other.told]);
  ends.abort();
  ends.abort(); // repeated calls have no effect
  await put(engine, "public.a", "1");
  await other.expect({ "public.a": "1" });
  await server.kill();
  await server.run();
  await put(engine, "public.a", "2");
  await other.expect({ "public.a": "2" });
  assert.deepEqual([ended.wholes, ended.changes], [1, 0]);
});

test("a listing that is aborted before all is told tells nothing, and the next one all", async (server) => {
  const engine = server.engine(), writer = server.engine({ as: "bob" });
  for (let at = 0; at < 30; at++) await put(writer, `public.${at}`, `${at}`);
  const isAborted = (/** @type {any} */ { name }) => name === "AbortError";
  // Before it begins, before it is connected, and after this number of event-loop turns.
  for (const turns of [-1, 0, 1, 2, 4, 8, 16]) {
    const ends = new AbortController();
    if (turns < 0) ends.abort();
    const listing = new Listing(engine, "public.", ends.signal);
    let isTold = false;
    const told = listing.told.then(() => isTold = true, (/** @type {any} */ error) => error);
    for (let turn = 0; turn < turns && !isTold; turn++) await sleep(0);
    ends.abort();
    const { wholes } = listing, next = new Listing(engine);
    if (!isTold) assert.ok(isAborted(await told), `after ${turns}`);
    await next.told;
    assert.deepEqual([Object.keys(next.entries).length, listing.wholes], [30, wholes]);
  }
});

test("what is under a prefix is told, and what comes and goes there", async (server) => {
  const engine = server.engine(), writer = server.engine({ as: "bob" });
  for (let at = 0; at < 30; at++) await put(writer, `public.k${at}`, `${at}`);
  await put(writer, "bob.mine", "x");
  await put(writer, "public.k0", null);
  const listing = new Listing(engine), expected = /** @type {any} */ ({});
  for (let at = 1; at < 30; at++) expected[`public.k${at}`] = `${at}`;
  await listing.told;
  await listing.expect(expected);
  const odd = ["public.a.b", "public.a b*>=", "public.ä/😀", "public.__proto", "public..."];
  for (const key of odd) await put(writer, key, "odd");
  await put(engine, "public.own", "1"); // includes its own commits
  await put(writer, "public.k1", null);
  for (const key of odd) expected[key] = "odd";
  expected["public.own"] = "1";
  delete expected["public.k1"];
  await listing.expect(expected);
  assert.equal(listing.wholes, 1);
  assert.equal(listing.changes, odd.length + 2);
  const later = new Listing(engine); // another program in the same page
  await later.told;
  await later.expect(expected);
});

test("nothing under a prefix is told, too", async (server) => {
  const listing = new Listing(server.engine(), "public.nobody.");
  await listing.told;
  assert.deepEqual([listing.entries, listing.wholes], [{}, 1]);
});

test("another user's prefix is denied, and others go on", async (server) => {
  const engine = server.engine(), mine = new Listing(engine);
  const theirs = engine.list("bob.", () => assert.fail("it is told"));
  await assert.rejects(theirs, (/** @type {any} */ { name }) => name === "DeniedError");
  const all = engine.list("", () => assert.fail("it is told"));
  await assert.rejects(all, (/** @type {any} */ { name }) => name === "DeniedError");
  await put(engine, "public.a", "1");
  await mine.expect({ "public.a": "1" });
});

test("who may no longer hear of a prefix is told once, and of all when that is over", async (server) => {
  const engine = server.engine(), failures = /** @type {any[]} */ ([]);
  const listing = new Listing(engine, "public.", undefined, (error) => failures.push(error.name));
  await listing.told;
  server.deaf.push("alice");
  // It requests on each connection, and is rejected on each.
  for (let time = 0; time < 2; time++) {
    await server.kill();
    await server.run();
    await until(() => failures.length);
    await put(engine, "public.a", "1");
  }
  assert.deepEqual(failures, ["DeniedError"]);
  assert.equal(listing.wholes, 1);
  server.deaf.pop();
  await server.kill();
  await server.run();
  await listing.expect({ "public.a": "1" });
  assert.equal(listing.wholes, 2);
});

test("a prefix that is no part of a subject is refused", async (server) => {
  const listing = server.engine().list("public.a", () => {});
  await assert.rejects(listing, (/** @type {any} */ { message }) => /end with a dot/.test(message));
});

test("connections that are cut at any moment miss nothing", async (server) => {
  const proxy = await server.proxy(), writer = server.engine({ as: "bob" });
  const listing = new Listing(server.engine({ through: proxy }));
  const clients = Array.from(
    { length: 12 },
    (_, at) => new Client(writer, `c${at}`, `public.${at}`),
  );
  const expected = /** @type {any} */ ({});
  await listing.told;
  for (let cut = 0; cut < 12; cut++) {
    for (let step = 0; step < 10; step++) {
      const at = Math.floor(Math.random() * clients.length), key = `public.${at}`;
      const text = Math.random() < 0.3 ? null : `${cut} ${step}`;
      await clients[at].update(() => text);
      if (text === null) delete expected[key];
      else expected[key] = text;
    }
    await sleep(Math.random() * 5);
    proxy.cut();
  }
  await listing.expect(expected);
  assert.ok(listing.wholes > 1);
});

test("what another program has put there is told as damage", async (server) => {
  const engine = server.engine(), listing = new Listing(engine);
  await put(engine, "public.a", "1");
  await server.ask("$KV.app.public.b", "not ours");
  await server.ask("$KV.app.public.=ZZ", "no key of ours");
  await server.ask("$KV.app.public.a", "");
  await listing.expect({ "public.b": "No record: not ours" });
});
