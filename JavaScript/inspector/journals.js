// @ts-check
// Pending changes, as programs keep them in localStorage.

import { attempt } from "../sharing/boundary.js";

// The name of an entry; it has the engine, the client and a number.
const entryName = /^sharing(?:\/[\w-]+)?\.journal(?:@([^/]*)\/.*)?\.([^.]+)\.(\d+)$/s;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

// The steps in an entry of a journal; see JournaledSteps.swift for the format.
function stepsOf(text) {
  const words = JSON.parse(text).slice(2), steps = [];
  let former = new Uint8Array(), key, at = 0;
  const nextText = () => {
    const [start, end, middle] = words.slice(at, at += 3);
    if (middle === null) return null;
    const tail = former.subarray(former.length - +end);
    const parts = [...former.subarray(0, +start), ...encoder.encode(middle), ...tail];
    former = Uint8Array.from(parts);
    return decoder.decode(former);
  };
  while (at < words.length) {
    const number = +words[at++];
    if (words[at++] !== null) {
      if (words[at] !== key) former = new Uint8Array();
      key = words[at];
      at += 2; // the key, and its default
      nextText(); // the text before the step
    }
    steps.push({ number, key, text: nextText() });
  }
  return steps;
}

// The newest entry of each journal, which has all uncommitted steps.
export function journalsIn(storage) {
  const newest = new Map();
  for (const name of Object.keys(storage)) {
    const [, engine = "indexedDB", client, number] = entryName.exec(name) ?? [];
    const id = name.slice(0, name.lastIndexOf("."));
    if (!number || newest.get(id)?.number > +number) continue;
    newest.set(id, { engine, client, number: +number, name });
  }
  return [...newest.values()].map(({ engine, client, name }) => ({
    engine,
    client,
    steps: attempt(() => stepsOf(storage.getItem(name)), () => []),
  }));
}
