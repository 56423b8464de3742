// @ts-check
/// <reference lib="deno.ns" />
// Writers count under a common key and under their own keys, a client follows all of them, and the
// demo's page shows the count and adds to it. Checks that they lose nothing, and that the memory of
// the server, of the writers and of the page does not grow.
//
//     ./build.sh bench nats --seconds 900

import assert from "node:assert/strict";
import { Client, increment, Server, sleep, until } from "../Tests/script/server.js";
import { Chromium } from "./chromium.js";
import { megabytes, memoryOf, quantile } from "./figures.js";

const WRITERS = 20, SAMPLES = 30;
const seconds = Number(Deno.args[Deno.args.indexOf("--seconds") + 1]) || 900;

const server = await Server.start({ syncs: true });
const end = Date.now() + 1000 * seconds;

/** Counts under a key until the end; returns the count. */
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

const SHOWN = 'document.querySelector("[data-text=tally]").textContent';

/** Adds to the page's count until the end; returns the number of clicks. */
const click = async (/** @type {Chromium} */ page) => {
  let count = 0;
  for (; Date.now() < end; count++) {
    await page.value('document.querySelector("[data-click=tally]").click()');
    await sleep(100);
  }
  return count;
};

/** Measures the memory of all processes at regular intervals. */
const sample = async (/** @type {Chromium} */ page) => {
  const found = [];
  for (let at = 0; at < SAMPLES; at++) {
    await sleep(1000 * seconds / SAMPLES);
    const { rss, heapUsed } = Deno.memoryUsage();
    const { heap, programs, nodes, listeners, processes } = await page.memory();
    const writers = [rss / 2 ** 20, heapUsed / 2 ** 20];
    const shown = [memoryOf(...processes), heap, programs, nodes, listeners];
    found.push([memoryOf(server.process?.pid), ...writers, ...shown]);
  }
  return found;
};

const NAMES = ["the server", "the writers", "their heap"];
NAMES.push(
  "the page's processes",
  "its heap",
  "its programs' memory",
  "its nodes",
  "its listeners",
);

const soak = async () => {
  const shown = new Map(), follower = server.engine();
  follower.watch((stored) => {
    for (const { key, text } of stored) shown.set(key, Number(text));
  });
  const own = Array.from({ length: WRITERS }, (_, number) => `public.soak.w${number}`);
  await follower.load(["public.tally", ...own], "follower");
  await using page = await Chromium.open("web", `?nats=${server.address}`);
  await until(() => page.value(`${SHOWN} === "0"`));
  const [samples, clicks, counts] = await Promise.all([
    sample(page),
    click(page),
    Promise.all(Array.from({ length: WRITERS }, (_, number) => write(number))),
  ]);
  await sleep(2_000); // for the last notifications

  const total = counts.reduce((sum, [tally]) => sum + tally, clicks);
  await until(() => page.value(`${SHOWN} === "${total}"`), "the count in the page");
  assert.equal(shown.get("public.tally"), total);
  for (const [number, [, own]] of counts.entries()) {
    assert.equal(shown.get(`public.soak.w${number}`), own);
  }
  const others = counts.reduce((sum, [, own]) => sum + own, 0);
  console.log(
    `${WRITERS} writers and a page made ${total + others} changes in ${seconds} s, and lost none`,
  );
  for (const [at, name] of NAMES.entries()) {
    const values = samples.map((each) => each[at]), third = values.length / 3;
    const [first, last] = [values.slice(third, 2 * third), values.slice(2 * third)];
    const text = at < NAMES.length - 2 ? megabytes : String;
    const [before, after] = [first, last].map((each) => text(quantile(each)));
    const range = `${text(Math.min(...values))} to ${text(Math.max(...values))}`;
    console.log(`${name}: ${before} in the second third, ${after} in the last, ${range}`);
  }
};

try {
  await soak();
} finally {
  await server[Symbol.asyncDispose]();
}
Deno.exit();
