// @ts-check
// The imports storage_*, with a storage that works, is full, denied, missing or broken.

import assert from "node:assert/strict";
import { test } from "node:test";
import { decode, FakeStorage, FakeWindow, launch, put } from "./fakes.js";

const [missing, denied, quota, failed] = [-1, -2, -3, -4];
const buffer = 70_000; // in the second page of the memory

/** Returns a running program's view of storage, with text instead of pointers. */
async function storage(window = new FakeWindow()) {
  const { imports: { sharing }, memory } = await launch({ window });
  const bytes = (/** @type {number} */ count) => new Uint8Array(memory.buffer, buffer, count);
  /** Calls a closure with the item's number; returns its result, or the error code of the item. */
  const ask = (
    /** @type {string | Uint8Array} */ key,
    /** @type {number} */ area,
    /** @type {(item: number) => number} */ call,
  ) => {
    const item = sharing.storage_item(area, ...put(memory, [key]));
    return item < 0 ? item : call(item);
  };
  return {
    window,
    bytes,
    probe: (area = 0) => sharing.storage_probe(area),
    get: (/** @type {string} */ key, capacity = 1000, area = 0) =>
      ask(key, area, (item) => {
        const stamp = sharing.storage_stamp(item);
        return stamp < 0 ? stamp : sharing.storage_get(item, buffer, capacity);
      }),
    set: (
      /** @type {string | Uint8Array} */ key,
      /** @type {string | Uint8Array} */ text,
      area = 0,
    ) => ask(key, area, (item) => sharing.storage_set(item, ...put(memory, [text]))),
    remove: (/** @type {string} */ key, area = 0) =>
      ask(key, area, (item) => sharing.storage_set(item, 0, -1)),
    stamp: (/** @type {string} */ key, area = 0) =>
      ask(key, area, (item) => sharing.storage_stamp(item)),
    name: (/** @type {number} */ index, capacity = 1000, area = 0) =>
      sharing.storage_key(area, index, buffer, capacity),
    text: (/** @type {number} */ count) => decode(bytes(count)),
    raw: sharing,
  };
}

/** Returns the code of each call, in a window prepared by `prepare`. */
async function codes(/** @type {(window: FakeWindow) => void} */ prepare) {
  const window = new FakeWindow();
  prepare(window);
  const { probe, get, name, set, stamp, remove } = await storage(window);
  return [probe(), get("key"), name(0), set("key", "text"), stamp("key"), remove("key")];
}

/** Prepares a window whose storage throws this value on every use. */
const throwing = (/** @type {unknown} */ thrown) => (/** @type {FakeWindow} */ window) => {
  window.localStorage.fault = { thrown };
};

test("a stored text is read back from the storage of its area", async () => {
  const { window, get, set, text } = await storage();
  assert.ok(set("count", "3") > 0);
  assert.ok(set("count", "session", 1) > 0);
  assert.deepEqual([...window.localStorage.items], [["count", "3"]]);
  assert.deepEqual([...window.sessionStorage.items], [["count", "session"]]);
  assert.equal(text(get("count")), "3");
  assert.equal(text(get("count", 1000, 1)), "session");
});

test("an item that is not there is missing; an empty one is there", async () => {
  const { get, set } = await storage();
  assert.equal(get("count"), missing);
  set("count", "");
  assert.equal(get("count"), 0);
  assert.equal(get("count", 0), 0);
});

test("removing removes, also what is not there", async () => {
  const { window, remove, set } = await storage();
  set("count", "3");
  assert.ok(remove("count") > 0);
  assert.ok(remove("count") > 0);
  assert.equal(window.localStorage.items.size, 0);
});

test("any key and any text come through", async () => {
  const { window, get, set, text } = await storage();
  const keys = [
    "",
    "ключ",
    "鍵🔑",
    "e\u0301",
    "\u0000",
    "\uFEFFmark",
    "__proto__",
    "length",
    "/../",
    "twenty letters, all.",
    "some more than twenty letters",
    "ends with é",
  ];
  for (const key of keys) {
    assert.ok(set(key, key) > 0);
    assert.equal(window.localStorage.items.get(key), key);
    assert.ok(set(key, `\uFEFF${key} ✓`) > 0);
    assert.equal(window.localStorage.items.get(key), `\uFEFF${key} ✓`);
    assert.equal(text(get(key)), `\uFEFF${key} ✓`);
  }
  assert.equal(window.localStorage.items.size, keys.length);
});

test("whatever is stored and removed, the storage holds what a plain map does", async () => {
  const { window, get, name, remove, set, text } = await storage();
  const keys = [
    "",
    "__proto__",
    "length",
    "key",
    "getItem",
    "/../",
    "\u0000",
    "\uD7FF\uE000",
    "鍵🔑",
  ];
  /** @type {Map<string, string>} */
  const model = new Map();
  let seed = 17;
  const next = (/** @type {number} */ limit) => {
    seed = Math.imul(seed, 1103515245) + 12345 >>> 0;
    return (seed >>> 16) % limit;
  };
  for (let step = 0; step < 2000; step += 1) {
    const key = keys[next(keys.length)];
    if (next(3) === 0) {
      assert.ok(remove(key) > 0);
      model.delete(key);
    } else {
      const value = keys[next(keys.length)] + step;
      assert.ok(set(key, value) > 0);
      model.set(key, value);
    }
    const probe = keys[next(keys.length)];
    const count = get(probe);
    assert.equal(count < 0 ? undefined : text(count), model.get(probe));
  }
  assert.deepEqual(window.localStorage.items, model);
  const names = Array.from(model, (_, index) => text(name(index)));
  assert.deepEqual(names.sort(), [...model.keys()].sort());
});

test("the names of the items are told one by one, and after the last that it was", async () => {
  const { name, set, text } = await storage();
  const keys = ["", "length", "__proto__", "鍵🔑", "\u0000"];
  for (const key of keys) set(key, "text");
  assert.deepEqual(keys.map((_, index) => text(name(index))), keys);
  assert.equal(name(keys.length), missing);
  assert.equal(name(0, 1000, 1), missing);
  assert.equal(name(-1), missing);
});

test("a name for which the buffer is too small is asked for again", async () => {
  const { name, set, text } = await storage();
  set("ä€🔑", "text");
  assert.ok(name(0, 8) > 8);
  assert.equal(name(0, 9), 9);
  assert.equal(text(9), "ä€🔑");
});

test("half a surrogate pair is no text for the program, which can store the very same again", async () => {
  const { window, get, set, bytes } = await storage();
  for (
    const stored of ["a\uD800b", "\uDC00", '[{"title":"\uDC00\uD800🔑"}]', "\uDFFF".repeat(999)]
  ) {
    window.localStorage.items.set("key", stored);
    const count = get("key", 9999);
    assert.equal(bytes(1)[0], 255);
    const copy = bytes(count).slice();
    assert.equal(get("key", 3) > 3, true);
    assert.ok(set("copy", copy) > 0);
    assert.equal(window.localStorage.items.get("copy"), stored);
  }
});

test("where a browser cannot tell them, halves of pairs read as U+FFFD", async () => {
  const { window, get, text } = await storage();
  const tell = String.prototype.isWellFormed;
  // @ts-ignore: browsers before 2023
  delete String.prototype.isWellFormed;
  window.localStorage.items.set("key", "a\uD800b");
  assert.equal(text(get("key")), "a\uFFFDb");
  String.prototype.isWellFormed = tell;
});

test("a key or a text that is not UTF-8 is refused and stores nothing", async () => {
  const { window, set } = await storage();
  for (const byte of [0x80, 0xff]) {
    assert.equal(set("key", Uint8Array.of(byte)), failed);
    assert.equal(set(Uint8Array.of(byte), "text"), failed);
  }
  assert.equal(window.localStorage.items.size, 0);
});

test("whatever the text, asking again with the room that is answered soon has it", async () => {
  const { window, get, bytes, text } = await storage();
  for (const stored of ["plain".repeat(400), "ä€🔑".repeat(300), "鍵".repeat(2000)]) {
    window.localStorage.items.set("key", stored);
    let [capacity, asked] = [3, 0];
    for (let count = get("key", capacity); count > capacity; count = get("key", capacity)) {
      [capacity, asked] = [count, asked + 1];
    }
    assert.ok(asked <= 3, `${asked} times`);
    assert.equal(text(get("key", capacity)), stored);
  }
  window.localStorage.items.set("key", "ä€🔑");
  bytes(20).fill(7);
  assert.ok(get("key", 8) > 8);
  assert.deepEqual([...bytes(20)].slice(8), Array(12).fill(7), "behind the buffer");
});

test("a plain text is handed over in one piece, as soon as it has room", async (context) => {
  const { window, get } = await storage();
  window.localStorage.items.set("key", "some text".repeat(100));
  const encode = context.mock.method(TextEncoder.prototype, "encodeInto");
  assert.equal(get("key", 10), 900);
  assert.equal(encode.mock.callCount(), 0);
  assert.equal(get("key", 900), 900);
  assert.equal(encode.mock.callCount(), 1);
});

test("a text is handed over as its stamp was given for it, whatever others store then", async () => {
  const { window, raw, get, stamp, text } = await storage();
  window.localStorage.items.set("key", "before");
  const before = stamp("key");
  window.localStorage.items.set("key", "after");
  assert.equal(text(raw.storage_get(0, buffer, 1000)), "before");
  assert.notEqual(stamp("key"), before);
  assert.equal(text(raw.storage_get(0, buffer, 1000)), "after");
  window.localStorage.items.delete("key");
  assert.equal(get("key"), missing);
});

test("a key has one number, and each area has its own", async () => {
  const { imports: { sharing }, memory } = await launch();
  const number = (/** @type {number} */ area, /** @type {string} */ key) =>
    sharing.storage_item(area, ...put(memory, [key]));
  const keys = ["", "a", "b", "__proto__", "length", "constructor"];
  const numbers = [0, 1].flatMap((area) => keys.map((key) => number(area, key)));
  assert.deepEqual(numbers, numbers.map((_, index) => index));
  assert.deepEqual([0, 1].flatMap((area) => keys.map((key) => number(area, key))), numbers);
});

test("a stamp stays for as long as the item holds the same text", async () => {
  const { window: { localStorage }, get, set, stamp } = await storage();
  const written = set("key", "mine");
  assert.equal(stamp("key"), written);
  get("key");
  localStorage.items.set("key", "mine"); // another tab has written the same text
  assert.equal(stamp("key"), written);
  assert.equal(set("key", "mine"), written);
  localStorage.items.set("key", "theirs");
  const theirs = stamp("key");
  assert.notEqual(theirs, written);
  assert.equal(stamp("key"), theirs);
  localStorage.items.set("key", "mine"); // and back: changes in between are not detectable
  assert.ok(![written, theirs].includes(stamp("key")));
});

test("an item that is removed, cleared away or never was has a stamp too", async () => {
  const { window: { localStorage }, remove, set, stamp } = await storage();
  const never = stamp("key");
  assert.ok(never > 0);
  assert.equal(stamp("key"), never);
  const written = set("key", "");
  assert.notEqual(written, never);
  const removed = remove("key");
  assert.ok(![written, never].includes(removed));
  assert.equal(stamp("key"), removed);
  set("key", "text");
  const other = set("other", "text");
  localStorage.items.clear();
  assert.ok(![written, removed].includes(stamp("key")));
  assert.notEqual(stamp("other"), other);
});

test("the stamp of an item says nothing of others", async () => {
  const { set, stamp } = await storage();
  const stamps = [set("a", "text"), set("a", "text", 1), stamp("1a"), stamp("")];
  set("b", "other");
  set("a", "other", 2);
  assert.deepEqual([stamp("a"), stamp("a", 1), stamp("1a"), stamp("")], stamps);
});

test("a write that fails leaves the stamp as it was", async () => {
  const { window: { localStorage }, set, stamp } = await storage();
  const written = set("key", "old");
  localStorage.setItem = () => {
    throw new DOMException("", "QuotaExceededError");
  };
  assert.equal(set("key", "new"), quota);
  assert.equal(stamp("key"), written);
});

test("texts arrive whole after the memory has grown", async () => {
  const window = new FakeWindow();
  const { imports: { sharing }, memory } = await launch({ window });
  const text = "some text".repeat(20_000);
  window.localStorage.items.set("key", text);
  memory.grow(8);
  const item = sharing.storage_item(0, ...put(memory, ["key"]));
  assert.ok(sharing.storage_stamp(item) > 0);
  assert.equal(sharing.storage_get(item, buffer, 200_000), 180_000);
  assert.equal(decode(new Uint8Array(memory.buffer, buffer, 180_000)), text);
});

test("a probe reads the storage and answers 1 for both areas", async () => {
  const window = new FakeWindow();
  let reads = 0;
  Object.defineProperty(window.localStorage, "length", { get: () => reads++ });
  const { probe } = await storage(window);
  assert.equal(probe(0), 1);
  assert.equal(reads, 1);
  assert.equal(probe(1), 1);
});

test("a full storage answers quota, under each of its names, and keeps the old text", async () => {
  for (
    const thrown of [
      new DOMException("", "QuotaExceededError"),
      { name: "QUOTA_EXCEEDED_ERR" },
      { name: "NS_ERROR_DOM_QUOTA_REACHED" },
    ]
  ) {
    const { window, get, set, text } = await storage();
    set("key", "old");
    window.localStorage.setItem = () => {
      throw thrown;
    };
    assert.equal(set("key", "new"), quota);
    assert.equal(text(get("key")), "old");
  }
});

test("a storage that refuses answers denied", async () => {
  const refusal = throwing(new DOMException("", "SecurityError"));
  assert.deepEqual(await codes(refusal), Array(6).fill(denied));
});

test("a window whose storage cannot even be reached answers denied", async () => {
  const sandbox = (/** @type {FakeWindow} */ window) =>
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("sandboxed", "SecurityError");
      },
    });
  assert.deepEqual(await codes(sandbox), Array(6).fill(denied));
});

test("a window without a storage answers denied", async () => {
  for (const none of [null, undefined]) {
    const without = (/** @type {FakeWindow} */ window) => window.localStorage = none;
    assert.deepEqual(await codes(without), Array(6).fill(denied));
  }
});

test("whatever else is thrown answers failed", async () => {
  for (const thrown of [new Error("broken"), "a string", null, undefined, 22, {}]) {
    assert.deepEqual(await codes(throwing(thrown)), Array(6).fill(failed));
  }
});

test("one area being denied does not touch the other", async () => {
  const window = new FakeWindow();
  window.localStorage = null;
  const { probe, set } = await storage(window);
  assert.equal(set("key", "text", 0), denied);
  assert.equal(probe(1), 1);
  assert.ok(set("key", "text", 1) > 0);
});

test("what stands behind # in the address is an area of one item", async () => {
  const { window: { location }, get, probe, remove, set, text } = await storage();
  assert.equal(probe(2), 1);
  assert.equal(get("any", 1000, 2), missing);
  location.hash = "#/active";
  assert.equal(text(get("any", 1000, 2)), "/active");
  for (const fragment of ["/completed", "#", "##two", "%20%25?&=/", "a%C3%A4"]) {
    assert.ok(set("any", fragment, 2) > 0);
    assert.equal(location.href, `http://localhost/page?query#${fragment}`);
    assert.equal(text(get("other", 1000, 2)), fragment);
  }
  assert.equal(location.entries, 6);
  assert.ok(set("replace", "/active", 2) > 0);
  assert.equal(text(get("any", 1000, 2)), "/active");
  assert.ok(remove("replace", 2) > 0);
  assert.equal(location.entries, 6);
  assert.ok(remove("any", 2) > 0);
  assert.equal(get("any", 1000, 2), missing);
});

test("an address that takes no change answers busy, and the item is as it was", async () => {
  const window = new FakeWindow();
  const { location } = window;
  let fault = (/** @type {string} */ href) => location.assign(href);
  window.location = /** @type {any} */ ({
    get href() {
      return location.href;
    },
    get hash() {
      return location.hash;
    },
    assign(/** @type {string} */ href) {
      fault(href);
    },
  });
  const { get, raw, set, text } = await storage(window);
  assert.ok(set("any", "/one", 2) > 0);
  const stamp = raw.storage_stamp(0);
  // Chromium ignores a change that comes too soon after many others; Firefox throws.
  for (const thrown of [null, new DOMException("The operation is insecure.", "SecurityError")]) {
    fault = () => {
      if (thrown) throw thrown;
    };
    assert.equal(set("any", "/two", 2), -10);
    assert.equal(raw.storage_stamp(0), stamp);
    assert.equal(text(get("any", 1000, 2)), "/one");
  }
});

test("an address that encodes a text itself has taken it", async () => {
  const { set, window: { location } } = await storage();
  assert.ok(set("any", "a ä", 2) > 0);
  assert.equal(location.hash, "#a%20%C3%A4");
  assert.ok(set("any", "", 2) > 0);
});

test("the number of an item that is removed for good is free for another key", async () => {
  const { raw, get, set, remove, text, window } = await storage();
  set("a", "1");
  set("b", "2");
  const number = 0;
  assert.ok(raw.storage_set(number, 0, -2) > 0);
  assert.equal(window.localStorage.getItem("a"), null);
  assert.equal(raw.storage_stamp(number) > 0, true);
  set("c", "3");
  assert.equal(text(get("c")), "3");
  assert.equal(text(get("b")), "2");
  set("a", "4");
  assert.equal(text(get("a")), "4");
  assert.equal(text(get("c")), "3");
  // The number of a key that is only removed is not free.
  remove("c");
  set("d", "5");
  set("c", "6");
  assert.equal(text(get("d")), "5");
  for (const item of [0, 1, 2, 3]) assert.ok(raw.storage_stamp(item) > 0);
  assert.equal(raw.storage_stamp(4), failed);
});

test("an unknown area, and memory that is not there, answer failed", async () => {
  const { raw, set } = await storage();
  set("", "text"); // item 0
  assert.equal(raw.storage_probe(3), failed);
  assert.equal(raw.storage_key(3, 0, buffer, 9), failed);
  assert.equal(raw.storage_key(0, 0, 1 << 30, 9), failed);
  assert.equal(raw.storage_item(-1, 0, 0), failed);
  assert.equal(raw.storage_item(3, 0, 0), failed);
  assert.equal(raw.storage_item(0, 1 << 30, 1), failed);
  assert.equal(raw.storage_get(0, 1 << 30, 9), failed);
  assert.equal(raw.storage_set(0, -8, 16), failed);
  for (const item of [-1, 1]) {
    assert.equal(raw.storage_stamp(item), failed);
    assert.equal(raw.storage_get(item, buffer, 9), failed);
    assert.equal(raw.storage_set(item, 0, -1), failed);
  }
});

test("the fake storage itself keeps its items apart from its methods", () => {
  const fake = new FakeStorage();
  fake.setItem("getItem", "x");
  assert.equal(fake.getItem("getItem"), "x");
  assert.equal(fake.length, 1);
});
