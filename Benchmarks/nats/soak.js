// @ts-check
/// <reference lib="deno.ns" />
// Writers that count under one key and under keys of their own, and somebody who follows all of
// them: what they lose, which is nothing, and whether the server's and their memory stays as it is.
//
//     ./build.sh bench nats --seconds 900

import assert from "node:assert/strict";
import { Client, increment, Server, sleep } from "../../Tests/nats/server.js";
import { megabytes, memoryOf, quantile } from "./figures.js";

const WRITERS = 20, SAMPLES = 30;
const seconds = Number(Deno.args[Deno.args.indexOf("--seconds") + 1]) || 900;

const server = await Server.start({ syncs: true });
const end = Date.now() + 1000 * seconds;

/** Counts under a key until the end; the count. */
const write = async (/** @type {number} */ number) => {
  const as = number % 2 ? "alice" : "bob";
  const engine = server.engine({ as });
  const both = ["public.tally", `public.soak.w${number}`]
    .map((key) => new Client(engine, `w${number} ${key}`, key));
  while (Date.now() < end) {
    await Promise.all(both.map((client) => client.update(increment)));
    await sleep(20); // as fast as a person in a hurry
  }
  return both.map(({ step }) => step);
};

/** The memory of both processes, at equal pauses. */
const sample = async () => {
  const found = [];
  for (let at = 0; at < SAMPLES; at++) {
    await sleep(1000 * seconds / SAMPLES);
    const { rss, heapUsed } = Deno.memoryUsage();
    found.push([memoryOf(server.process), rss / 2 ** 20, heapUsed / 2 ** 20]);
  }
  return found;
};

const soak = async () => {
  const shown = new Map();
  await server.engine().list?.("public.", (stored) => {
    for (const { key, text } of stored) shown.set(key, Number(text));
  });
  const [samples, counts] = await Promise.all([
    sample(),
    Promise.all(Array.from({ length: WRITERS }, (_, number) => write(number))),
  ]);
  await sleep(2_000); // for the last news

  const total = counts.reduce((sum, [tally]) => sum + tally, 0);
  assert.equal(shown.get("public.tally"), total);
  for (const [number, [, own]] of counts.entries()) {
    assert.equal(shown.get(`public.soak.w${number}`), own);
  }
  console.log(`${WRITERS} writers made ${2 * total} commits in ${seconds} s, and lost none`);
  for (const [at, name] of ["the server", "the writers", "their heap"].entries()) {
    const values = samples.map((each) => each[at]), third = values.length / 3;
    const [first, last] = [values.slice(third, 2 * third), values.slice(2 * third)];
    const [before, after] = [first, last].map((each) => quantile(each));
    const range = `${megabytes(Math.min(...values))} to ${megabytes(Math.max(...values))}`;
    console.log(
      `${name}: ${megabytes(before)} in the second third, ${
        megabytes(after)
      } in the last, ${range}`,
    );
  }
};

try {
  await soak();
} finally {
  await server[Symbol.asyncDispose]();
}
Deno.exit();
