// @ts-check
/// <reference lib="deno.ns" />
// The server of a household, in the address of a page.

import assert from "node:assert/strict";
import { household } from "../../JavaScript/nats/household.js";

const SERVER = "wss://home:secret@home.example.net";
const ITEM = "household:/list/";
const KNOWN = { servers: ["wss://home.example.net"], bucket: "app" };

/** A page at an address; what it has stored and what a person answers may be given. */
const page = (
  address = "",
  /** @type {string | null} */ stored = null,
  /** @type {string | null} */ answer = null,
) => {
  /** @type {Record<string, string | null>} */
  const items = { [ITEM]: stored };
  /** @type {any[]} */
  const asked = [], replaced = [];
  const window = {
    location: new URL(`https://ann.example/list/?a=b${address}`),
    history: { state: 7, replaceState: (/** @type {any[]} */ ...words) => replaced.push(words) },
    localStorage: {
      getItem: (/** @type {string} */ name) => items[name],
      setItem: (/** @type {string} */ name, /** @type {string} */ text) => items[name] = text,
    },
    prompt(/** @type {string} */ question) {
      asked.push(question);
      return answer;
    },
    confirm(/** @type {string} */ question) {
      asked.push(question);
      return answer === "yes";
    },
  };
  return { window, items, asked, replaced };
};

const check = (/** @type {any} */ { credentials, ...options }) => {
  assert.deepEqual(options, KNOWN);
  assert.deepEqual(credentials(), { user: "home", pass: "secret" });
};

Deno.test("the server in the address is kept, and removed from the address", () => {
  const former = "wss://home:former@home.example.net";
  const { window, items, asked, replaced } = page(`#household=${SERVER}`, former);
  check(household(window, "Where?"));
  assert.equal(items[ITEM], `${SERVER}/`);
  assert.deepEqual(replaced, [[7, "", "/list/?a=b"]]);
  assert.deepEqual(asked, []);
});

Deno.test("another server than the kept one is taken only if the person agrees", () => {
  const other = "wss://home:secret@elsewhere.example";
  for (const answer of ["yes", null]) {
    const { window, items, asked, replaced } = page(`#household=${SERVER}`, other, answer);
    const { servers } = household(window, "Where?");
    assert.deepEqual(servers, answer ? KNOWN.servers : ["wss://elsewhere.example"]);
    assert.equal(items[ITEM], `${answer ? SERVER : other}/`);
    assert.deepEqual(asked, ["Where?: home.example.net?"]);
    assert.equal(replaced.length, 1);
  }
});

Deno.test("a kept server needs no address", () => {
  const { window, asked, replaced } = page("#/active", SERVER);
  check(household(window, "Where?"));
  assert.deepEqual([asked, replaced], [[], []]);
});

for (const answer of [SERVER, `https://ann.example/list/#household=${SERVER}\n`, ` ${SERVER}`]) {
  Deno.test(`a person may answer ${JSON.stringify(answer)}`, () => {
    const { window, items, asked } = page("", null, answer);
    check(household(window, "Where?"));
    assert.deepEqual(asked, ["Where?"]);
    assert.equal(items[ITEM], `${SERVER}/`);
  });
}

for (
  const answer of [null, "", "home", "wss://home.example.net", "https://a:b@c", "wss://home@c"]
) {
  Deno.test(`the answer ${JSON.stringify(answer)} is no server, and nothing is kept`, () => {
    const { window, items } = page("", null, answer);
    const { credentials } = household(window, "Where?");
    assert.throws(() => credentials(), /^Error: Where\?$/);
    assert.equal(items[ITEM], null);
  });
}

Deno.test("a blocked storage keeps nothing, and the server is used", () => {
  const { window } = page(`#household=${SERVER}`);
  Object.defineProperty(window, "localStorage", {
    get() {
      throw Error("blocked");
    },
  });
  check(household(window, "Where?"));
});
