// @ts-check
/// <reference lib="deno.ns" />
// The NATS engine keeps the contract of engines, except for intended differences.

import assert from "node:assert/strict";
import { contractFailures } from "../../../../JavaScript/testing/contract.js";
import { Server } from "./server.js";

const OTHERWISE = {
  "a commit from an older revision is rebased on the stored value":
    "it is made again on what the engine knows, which saves a question where that is stored still, " +
    "and once more where it is not",
  "a client's steps count, whatever their keys":
    "each key has the steps in its own record, and a program's keys have a client each",
  "a rebase may return entries of more keys, or of others":
    "where nothing but a copy is left, the record is written again for the client's step",
};

Deno.test({
  name: "the engine over NATS keeps the contract, also over a bucket that is not empty",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await using server = await Server.start();
    const connect = () => server.engine({ as: "everything" });
    for (const times of [50, 10]) {
      assert.deepEqual(await contractFailures(connect, { times }), Object.keys(OTHERWISE));
    }
  },
});
