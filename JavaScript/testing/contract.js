// @ts-check
// @ts-self-types="./contract.d.ts"

import { RULES, RULES_OF_SEVERAL_KEYS } from "./rules.js";

const within = (patience, promise) => {
  let timer;
  const late = new Promise((_, reject) =>
    timer = setTimeout(() => reject({ message: `no answer in ${patience} ms` }), patience)
  );
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

export const contractFailures = async (
  connect,
  { severalKeys = false, times = 100, patience = 20_000 } = {},
) => {
  const [one, two] = [connect(), connect()], changes = [], failures = [];
  two.watch(
    (stored) => changes.push(...stored),
    (error, key) => failures.push(`watching ${key ?? "all keys"} failed: ${error?.["message"]}`),
  );
  const rules = { ...RULES, ...severalKeys ? RULES_OF_SEVERAL_KEYS : {} };
  for (const [rule, isKept] of Object.entries(rules)) {
    try {
      const given = { one, two, changes, times, patience };
      if (!await within(patience, isKept(given))) failures.push(rule);
    } catch (error) {
      failures.push(`${rule}: ${error?.["message"] ?? error}`);
    }
  }
  return failures;
};
