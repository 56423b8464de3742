// @ts-check
/// <reference lib="deno.ns" />
// Common parts of benchmarks: alternating rounds, medians, the lines of a table, memory.

/** Returns a quantile of numbers, from 0 to 1. */
export const quantile = (/** @type {number[]} */ numbers, share = 0.5) => {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.round(share * (sorted.length - 1))];
};

/** Returns the milliseconds of a call. */
export const timed = async (/** @type {() => Promise<unknown>} */ run) => {
  const begin = performance.now();
  await run();
  return performance.now() - begin;
};

const number = (/** @type {number} */ value) =>
  value >= 100 ? Math.round(value).toLocaleString("en") : `${+value.toPrecision(3)}`;

const line = (/** @type {unknown[]} */ ...cells) => console.log(`| ${cells.join(" | ")} |`);

export const head = (/** @type {string} */ title) => {
  console.log(`\n| ${title} | | compared with | | ratio | quartiles | budget | |`);
  console.log("|---|---:|---|---:|---:|---|---:|---|");
};

/** Prints a line with the ratio of two sides' times, from the same rounds. */
export const row = (
  /** @type {string} */ name,
  /** @type {number[]} */ times,
  /** @type {string} */ baseline,
  /** @type {number[]} */ baselineTimes,
  /** @type {number | null} */ budget,
) => {
  const ratios = times.map((time, at) => time / baselineTimes[at]), ratio = quantile(ratios);
  const quartiles = [0.25, 0.75].map((share) => number(quantile(ratios, share))).join("–");
  const [own, other] = [times, baselineTimes].map((each) => number(quantile(each)));
  const verdict = budget === null ? "" : ratio <= budget ? "ok" : "**missed**";
  line(name, own, baseline, other, number(ratio), quartiles, budget ?? "", verdict);
};

/** Runs two sides in turn, round after round. */
export const inTurn = async (
  /** @type {number} */ rounds,
  /** @type {() => Promise<number>} */ one,
  /** @type {() => Promise<number>} */ other,
) => {
  /** @type {[number[], number[]]} */
  const times = [[], []];
  await one();
  await other();
  for (let round = 0; round < rounds; round++) {
    times[0].push(await one());
    times[1].push(await other());
  }
  return times;
};

/** Returns the memory of processes, by process id, in MB. */
export const memoryOf = (/** @type {(number | undefined)[]} */ ...processes) => {
  const args = ["-o", "rss=", "-p", processes.join()];
  const { stdout } = new Deno.Command("ps", { args }).outputSync();
  const sizes = new TextDecoder().decode(stdout).trim().split(/\s+/).map(Number);
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
};

export const megabytes = (/** @type {number} */ value) => `${value.toFixed(1)} MB`;
