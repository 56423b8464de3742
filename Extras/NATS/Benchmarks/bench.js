// @ts-check
/// <reference lib="deno.ns" />
// Measures the NATS engine with a real server, against handwritten scripts.
//
//     ./build.sh bench nats [--quick] [--only TEXT]

import { nats } from "../JavaScript/nats.js";
import { Server, until } from "../Tests/script/server.js";
import { Bare } from "./bare.js";
import { head, inTurn, megabytes, memoryOf, quantile, row, timed } from "./figures.js";

const isQuick = Deno.args.includes("--quick");
const only = Deno.args.includes("--only") ? Deno.args[Deno.args.indexOf("--only") + 1] : "";
const KEYS = 10_000, CONNECTIONS = 1_000;

/** Commits in sequence, against the same bytes by hand. */
const commits =
  (/** @type {string} */ where, /** @type {number | null} */ budget) =>
  async (/** @type {Server} */ server) => {
    const count = 20, engine = server.engine(), bare = await Bare.connect(server.address, "alice");
    const [key, other] = ["public.own", "public.bar"];
    const never = () => {
      throw Error("Nobody else writes it.");
    };
    let [base] = (await engine.load([key], "me")).stored, step = 0, revision = 0, done = 0;
    const own = () =>
      timed(async () => {
        for (let time = 0; time < count; time++) {
          const entries = [{ key, expected: base.revision, text: `${step + 1000}` }];
          const commit = { client: "me", after: step, through: ++step, entries };
          [base] = (await engine.commit(commit, never)).stored;
        }
      });
    const theirs = () =>
      timed(async () => {
        for (let time = 0; time < count; time++) {
          const expected = `NATS/1.0\r\nNats-Expected-Last-Subject-Sequence: ${revision}\r\n\r\n`;
          const body = `{"seen":[["me",${++done}]],"text":"${done + 999}"}`;
          ({ seq: revision } = JSON.parse(await bare.ask(`$KV.app.${other}`, body, expected)));
        }
      });
    const times = await inTurn(isQuick ? 30 : 150, own, theirs);
    const [one, two] = times.map((side) => side.map((time) => 1000 * time / count));
    row("a commit" + where, one, "a bare request of the same bytes", two, budget);
    bare.socket.close();
  };

/** Stores a number of keys under a prefix. */
const fill = async (/** @type {Server} */ server, /** @type {string} */ prefix, count = KEYS) => {
  const bare = await Bare.connect(server.address, "alice");
  let answers = 0;
  bare.onMessage = () => answers++;
  for (let at = 0; at < count; at++) {
    const body = `{"seen":[["me",1]],"text":"${at}"}`;
    bare.write(`PUB $KV.app.${prefix}k${at} ${bare.inbox} ${body.length}`, body);
    if (at % 500 === 499) await until(() => answers > at - 500);
  }
  await until(() => answers === count);
  bare.socket.close();
};

const consumer = (/** @type {string} */ name, filter_subject = "", deliver_subject = "") =>
  JSON.stringify({
    stream_name: "KV_app",
    config: {
      name,
      deliver_subject,
      filter_subject,
      deliver_policy: "last_per_subject",
      ack_policy: "none",
      max_deliver: 1,
      mem_storage: true,
      num_replicas: 1,
      flow_control: true,
      idle_heartbeat: 1e9,
      inactive_threshold: 2e10,
    },
  });

/** Lists all keys under a prefix and waits for the first change: with the engine, and by hand. */
const lists = async (/** @type {Server} */ server) => {
  await fill(server, "public.list.");
  const decoder = new TextDecoder(), filter = "$KV.app.public.list.>";
  let round = 0;
  const change = (/** @type {string} */ text) =>
    server.ask("$KV.app.public.list.k7", `{"seen":[["me",1]],"text":"${text}"}`);
  const own = async () => {
    const text = `own ${++round}`, engine = server.engine(), all = new Map();
    const { promise, resolve } = Promise.withResolvers();
    const hear = (/** @type {any[]} */ stored) => {
      for (const each of stored) all.set(each.key, each.text);
      if (all.get("public.list.k7") === text) resolve(all);
    };
    const time = await timed(async () => {
      await engine.list?.("public.list.", hear);
      if (all.size !== KEYS) throw Error(`There are ${all.size} keys.`);
      change(text);
      await promise;
    });
    engine.close();
    return time;
  };
  const theirs = async () => {
    const text = `theirs ${++round}`, name = `bare${round}`, all = new Map();
    const { promise, resolve } = Promise.withResolvers();
    const begin = performance.now(), bare = await Bare.connect(server.address, "alice");
    bare.write(`SUB ${bare.watch} 1`);
    bare.ask(`KVAPI.CREATE.${name}.${filter}`, consumer(name, filter, bare.watch));
    bare.onMessage = ({ subject, head, reply, body }) => {
      const flow = /FlowControl/.test(head) ? reply : /Stalled: (\S+)/.exec(head)?.[1];
      if (flow) bare.write(`PUB ${flow} 0`, "");
      if (!reply?.startsWith("$JS.ACK.")) return;
      const value = JSON.parse(decoder.decode(body)).text;
      all.set(subject.slice(8), value);
      if (all.size === KEYS && reply.endsWith(".0") && value !== text) change(text);
      if (value === text) resolve(all);
    };
    await promise;
    const time = performance.now() - begin;
    bare.socket.close();
    return time;
  };
  const [one, two] = await inTurn(isQuick ? 5 : 15, own, theirs);
  row(`load and watch ${KEYS} keys under a prefix, ms`, one, "a bare script, ms", two, 1.5);
};

/** Measures the bytes that a watching page receives per change, with few keys and with many. */
const changes = async (/** @type {Server} */ server) => {
  const received = async (/** @type {number} */ count) => {
    const prefix = `public.of${count}.`, changed = 200;
    await fill(server, prefix, count);
    let bytes = 0, messages = 0, heard = 0;
    const Counting = class extends WebSocket {
      constructor(/** @type {string} */ address) {
        super(address);
        this.addEventListener("message", ({ data }) => {
          // Excludes the heartbeats, which arrive each second.
          const found = new TextDecoder().decode(data).match(/\$JS\.ACK/g);
          if (found) bytes += data.byteLength;
          messages += found?.length ?? 0;
        });
      }
    };
    const credentials = () => ({ user: "alice", pass: "secret" });
    const window = { ...globalThis, WebSocket: Counting, setTimeout, clearTimeout, setInterval };
    Object.assign(window, { clearInterval, queueMicrotask });
    const options = { servers: [server.address], bucket: "app", credentials };
    const engine = nats(options, /** @type {any} */ (window));
    await engine.list?.(prefix, (stored, isAll) => heard += isAll ? 0 : stored.length);
    [bytes, messages] = [0, 0];
    for (let at = 0; at < changed; at++) {
      await server.ask(`$KV.app.${prefix}k${at % 10}`, `{"seen":[["me",1]],"text":"${at}"}`);
    }
    await until(() => heard === changed);
    engine.close();
    return [bytes / changed, messages / changed];
  };
  const few = await received(10), many = await received(KEYS);
  row(`bytes for a change, of ${KEYS} keys`, [many[0]], "of 10 keys", [few[0]], 1.1);
  row(`messages for a change, of ${KEYS} keys`, [many[1]], "of 10 keys", [few[1]], 1.1);
};

/** Measures many pages that watch one key. */
const connections = async (/** @type {Server} */ server) => {
  const key = "public.fan", before = memoryOf(server.process?.pid);
  /** @type {(string | null)[]} */
  const shown = Array(CONNECTIONS).fill(null);
  const engines = shown.map((_, at) => {
    const engine = server.engine({ as: at % 2 ? "alice" : "bob" });
    engine.watch((stored) => {
      for (const each of stored) shown[at] = each.text;
    });
    return engine;
  });
  for (let at = 0; at < CONNECTIONS; at += 50) {
    const some = engines.slice(at, at + 50);
    await Promise.all(
      some.map((engine) => until(() => engine.load([key], "me").then(() => true, () => false))),
    );
  }
  const after = memoryOf(server.process?.pid);
  const times = [];
  for (let round = 0; round < (isQuick ? 5 : 20); round++) {
    const text = `${round}`;
    times.push(
      await timed(async () => {
        await server.ask(`$KV.app.${key}`, `{"seen":[["me",1]],"text":"${text}"}`);
        while (shown.some((one) => one !== text)) await new Promise((next) => setTimeout(next, 1));
      }),
    );
  }
  const each = 1024 * (after - before) / CONNECTIONS;
  console.log(
    `\n${CONNECTIONS} pages watch a key: the server has ${megabytes(after)}, before that ` +
      `${megabytes(before)}, ${each.toFixed(0)} kB for each. All show a change after ` +
      `${quantile(times).toFixed(0)} ms, at most ${Math.max(...times).toFixed(0)} ms.`,
  );
};

// The measured parts, each with a server of its own.
/** @type {{ [name: string]: [(server: Server) => Promise<void>, object?] }} */
const PARTS = {
  "commit on the disk": [commits(", µs, on the disk", 1.3), { syncs: true }],
  "commit in memory": [commits(", µs, in the system's memory", null)],
  "load and watch a prefix": [lists],
  "bytes and messages for a change": [changes],
  "pages that watch a key": [connections],
};

head("NATS, in Deno");
for (const [name, [measure, options]] of Object.entries(PARTS)) {
  if (!name.includes(only)) continue;
  await using server = await Server.start(options);
  await measure(server);
}
Deno.exit();
