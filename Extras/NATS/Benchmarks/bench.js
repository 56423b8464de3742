// @ts-check
/// <reference lib="deno.ns" />
// Measures the NATS engine with a real server, against handwritten scripts.
//
//     ./build.sh bench nats [--quick] [--only TEXT]

import { Server, until } from "../Tests/script/server.js";
import { Bare } from "./bare.js";
import { head, inTurn, megabytes, memoryOf, quantile, row, timed } from "./figures.js";

const isQuick = Deno.args.includes("--quick");
const only = Deno.args.includes("--only") ? Deno.args[Deno.args.indexOf("--only") + 1] : "";
const CONNECTIONS = 1_000;

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
  "pages that watch a key": [connections],
};

head("NATS, in Deno");
for (const [name, [measure, options]] of Object.entries(PARTS)) {
  if (!name.includes(only)) continue;
  await using server = await Server.start(options);
  await measure(server);
}
Deno.exit();
