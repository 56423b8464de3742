// What every engine has to do, for tests of an engine of one's own.

import type { Engine } from "../sharing.d.ts";

/** What is tried, and for how long. */
export interface ContractOptions {
  /** Whether the engine stores all keys of a commit together or none; false by default. */
  severalKeys?: boolean;
  /** How often each of two engines counts at once; 100 by default. */
  times?: number;
  /** For how many milliseconds a rule may be tried; 20,000 by default. */
  patience?: number;
}

/**
 * The rules that an engine does not keep, a sentence each; none where it passes. It is the
 * counterpart of `contractFailures(of:)` in Swift.
 *
 * ```js
 * import { contractFailures } from "./contract.js";
 *
 * const server = "http://localhost:3000/values";
 * assert.deepEqual(await contractFailures(() => rest(window, server, { pause: 50 })), []);
 * ```
 * What it commits stays in the store, so take one for tests. It need not be empty: the same one
 * may be tried again.
 * @param connect makes an engine over the store; it is called twice, for two programs
 */
export function contractFailures(
  connect: () => Engine,
  options?: ContractOptions,
): Promise<string[]>;
