// @ts-check
// @ts-self-types="./inspector.d.ts"

const PLACES = ["localStorage", "sessionStorage", "address"];
const WRITERS = {
  __proto__: null,
  program: "this program",
  tab: "another tab",
  page: "a script of this page",
  other: "another program",
  inspector: "the inspector",
};
const FILLER = "sharing.filler";
const COPY = /\.(corrupt|replaced)(\.\d+)?$/;
// Items of the library itself; an entry of a journal names the engine, the client and a number.
const OWN = /^sharing(\/[\w-]+)?\.(journal|copy)[.@]/;
const ENTRY = /^sharing(?:\/[\w-]+)?\.journal(?:@([^/]*)\/.*)?\.([^.]+)\.(\d+)$/s;

const encoder = new TextEncoder(), decoder = new TextDecoder();

/** @type {(call: () => any, fallback?: any) => any} */
const attempt = (call, fallback = null) => {
  try {
    return call();
  } catch {
    return fallback;
  }
};

// MARK: Pending changes

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
function journalsIn(storage) {
  const newest = new Map();
  for (const name of Object.keys(storage)) {
    const [, engine = "indexedDB", client, number] = ENTRY.exec(name) ?? [];
    const id = name.slice(0, name.lastIndexOf("."));
    if (!number || newest.get(id)?.number > +number) continue;
    newest.set(id, { engine, client, number: +number, name });
  }
  return [...newest.values()].map(({ engine, client, name }) => ({
    engine,
    client,
    steps: attempt(() => stepsOf(storage.getItem(name)), []),
  }));
}

// MARK: The keys of a program

// The copies that the program has made of damaged and replaced texts of a key.
function copiesOf(storage, key) {
  const names = attempt(() => Object.keys(storage), []).filter((name) =>
    name.startsWith(key) && COPY.exec(name)?.index === key.length
  );
  return names.map((key) => ({ key, text: storage.getItem(key) }));
}

// A copy equal to the stored text shows that the program cannot decode it: then it makes the copy.
function itemKeys({ items = [], numbers = {} }) {
  const used = Object.values(numbers).map((number) => items[number]);
  const names = new Set(used.map(({ area, key }) => area + key));
  const isCopy = ({ area, key }) => COPY.test(key) && names.has(area + key.replace(COPY, ""));
  return used.filter((item) => !OWN.test(item.key) && !isCopy(item)).flatMap((item) => {
    const { area, key, storage, by, time, error } = item, place = PLACES[area];
    const text = attempt(() => storage.getItem(key));
    const copies = area === 2 ? [] : copiesOf(storage, key);
    const damage = copies.find((copy) => text !== null && copy.text === text);
    const row = { place, area, storage, key, text, by, time, status: "stored" };
    if (error) {
      row.status = "not saved";
      row.problem = `${error.name}: ${error.message}`;
    } else if (damage) {
      row.status = "damaged";
      row.problem = `The text cannot be read. "${damage.key}" is a copy of it.`;
    } else if (text === null) {
      row.status = "not stored";
    }
    return [row, ...copies.map((copy) => ({ ...copy, place, area, storage, status: "copy" }))];
  });
}

// The uncommitted steps of a record: the program's own, and those of other tabs.
function pendingOf({ engine, key, client, sent }, committed, journals) {
  const steps = journals.filter((journal) => journal.engine === engine).flatMap((journal) =>
    journal.steps.filter((step) => step.key === key && !(step.number <= committed[journal.client]))
      .map((step) => ({ ...step, client: journal.client }))
  );
  const own = steps.filter((step) => step.client === client);
  // Where there is no room for a journal, there is the commit that is under way.
  const isSent = sent && sent.client === client;
  return {
    count: Math.max(own.length, isSent ? 1 : 0),
    others: steps.length - own.length,
    text: own.length ? own.at(-1).text : isSent ? sent.text : null,
  };
}

function recordKeys({ records = {} }, journals) {
  const all = Object.values(records), engines = all.filter(({ key }) => key === null);
  // A program loads the copies of a key with it, also if there are none.
  const isListed = ({ key, text = null }) => key !== null && (text !== null || !COPY.test(key));
  return all.filter(isListed).map((record) => {
    const { engine, key, text = null, revision = 0, by, time } = record;
    const whole = engines.find((other) => other.engine === engine);
    const pending = pendingOf(record, whole?.steps ?? {}, journals);
    const error = record.error ?? (pending.count ? whole?.error : null);
    const row = { place: engine, key, text, revision, by, time, pending };
    row.problem = error ? error.message || String(error.name ?? error) : whole?.status;
    if (error) row.status = pending.count ? "not saved" : "may be old";
    else if (pending.count) row.status = "pending";
    else if (COPY.test(key)) row.status = "copy";
    else row.status = text === null ? "not stored" : "stored";
    return row;
  });
}

// Adds the errors that the program shows in its page, which begin with the name of their key.
// Returns the rest of the text.
function addErrors(message, rows) {
  const starts = rows.map(({ key }) => message.indexOf(`"${key}": `));
  rows.forEach((row, index) => {
    const start = starts[index];
    if (start < 0) return;
    const end = Math.min(message.length, ...starts.filter((other) => other > start));
    row.problem = message.slice(start + `"${row.key}": `.length, end).trim();
    if (/^(stored|not stored)$/.test(row.status)) row.status = "error";
  });
  return message.slice(0, Math.min(message.length, ...starts.filter((start) => start >= 0))).trim();
}

const idOf = ({ place, key }) => JSON.stringify([place, key]);

/**
 * Returns the stored values of some programs: a row for each key, and the messages without a key.
 * @param {any[]} programs
 * @param {any} window
 */
export const stateOf = (programs, window) => {
  const journals = attempt(() => journalsIn(window.localStorage), []);
  const rows = new Map(), messages = new Set();
  for (const program of programs) {
    const own = [...itemKeys(program), ...recordKeys(program, journals)];
    messages.add(addErrors(program.message ?? "", own));
    for (const row of own) {
      const id = idOf(row), known = rows.get(id);
      if (!known || (row.time ?? 0) > (known.time ?? 0)) rows.set(id, { ...row, program });
    }
  }
  const order = ({ place }) => PLACES.includes(place) ? PLACES.indexOf(place) : PLACES.length;
  const sorted = [...rows.values()].sort((one, other) =>
    order(one) - order(other) || (idOf(one) < idOf(other) ? -1 : 1)
  );
  return { rows: sorted, message: [...messages].filter(Boolean).join(" ") };
};

// MARK: Changes, as another program makes them

// The running programs of a window, also those without the inspector.
const runningIn = (window) =>
  [...window[Symbol.for("wasm-sharing")] ?? []].filter((program) => program.window === window);

function tellItem(window, { area, key }) {
  for (const program of runningIn(window)) {
    program.changed(area, area === 2 ? null : key);
    program.note?.(program.items[program.numbers[area + key]] ?? {}, { by: "inspector" });
  }
}

async function overwrite(row, text, window) {
  const { storage, area, key, place, program } = row;
  if (storage) {
    if (text === null) storage.removeItem(key);
    else storage.setItem(key, text);
    tellItem(window, { area, key });
    return;
  }
  const entries = [{ key, expected: null, text }];
  const client = `inspector-${Date.now()}-${Math.floor(Math.random() * 1e9)}`;
  const commit = { client, after: 0, through: 1, entries };
  const { stored } = await program.engines[place].commit(commit, () => entries);
  program.change(place, stored);
}

// Lets a useless item grow until the storage takes no more.
function fill(storage) {
  let size = 0;
  for (let more = 1 << 22; more >= 1; more = Math.floor(more / 2)) {
    const isTaken = attempt(() => {
      storage.setItem(FILLER, "x".repeat(size + more));
      return true;
    }, false);
    if (isTaken) size += more;
  }
}

// MARK: The panel

const STYLE = `
:host {
  all: initial !important;
  position: fixed !important;
  z-index: 2147483647 !important;
  inset: auto 0 0 0 !important;
  display: block !important;
  color-scheme: light dark !important;
}
section {
  --paper: #fff; --soft: #f3f4f6; --ink: #1b1f24; --faint: #57606a; --line: #d0d7de;
  --link: #0757ba; --good: #176639; --bad: #a40e26; --wait: #7a4b00;
  box-sizing: border-box;
  display: flex;
  flex-direction: column;
  max-height: min(60vh, 34rem);
  border-top: 1px solid var(--line);
  background: var(--paper);
  color: var(--ink);
  box-shadow: 0 -4px 24px rgb(0 0 0 / 18%);
  font: 14px/1.45 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
@media (prefers-color-scheme: dark) {
  section {
    --paper: #16191d; --soft: #22272e; --ink: #e8ebee; --faint: #a3adb8; --line: #3b434d;
    --link: #79b8ff; --good: #6fd694; --bad: #ff9492; --wait: #f0c36d;
  }
}
section:focus { outline: none; }
.bar {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 6px 12px;
  padding: 8px 16px;
  background: var(--soft);
}
h2 { margin: 0; font-size: 15px; }
p { margin: 0; }
.hint { flex: 1; color: var(--faint); font-size: 13px; }
.message { padding: 8px 16px; color: var(--bad); overflow-wrap: anywhere; }
.message:empty { padding: 0; }
.answer { flex: 1 1 12rem; color: var(--faint); font-size: 13px; overflow-wrap: anywhere; }
ul { flex: 1; min-height: 0; margin: 0; padding: 0; overflow: auto; list-style: none; }
li { border-top: 1px solid var(--line); }
.empty { padding: 16px; color: var(--faint); }
summary {
  display: grid;
  grid-template-columns: minmax(8rem, 1.2fr) minmax(0, 2fr) 8rem 6.5rem;
  gap: 2px 16px;
  align-items: baseline;
  padding: 7px 16px;
  cursor: pointer;
}
summary::-webkit-details-marker { display: none; }
summary:hover { background: var(--soft); }
.key, .preview, pre { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, monospace; }
.key { font-weight: 600; overflow-wrap: anywhere; }
.key::before { content: "▸ " / ""; color: var(--faint); }
details[open] .key::before { content: "▾ " / ""; }
.preview { overflow: hidden; color: var(--faint); text-overflow: ellipsis; white-space: nowrap; }
.place { color: var(--faint); }
.status { color: var(--good); }
.status:is([data-status="not stored"], [data-status="copy"]) { color: var(--faint); }
.status:is([data-status="pending"], [data-status="may be old"]) { color: var(--wait); }
.status:is([data-status="damaged"], [data-status="error"]) { color: var(--bad); }
.status[data-status="not saved"] { color: var(--bad); }
.body { display: grid; gap: 10px; padding: 2px 16px 14px 30px; }
pre {
  max-height: 12rem;
  margin: 0;
  padding: 8px 10px;
  overflow: auto;
  border-radius: 6px;
  background: var(--soft);
  font-size: 12.5px;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}
pre:empty { display: none; }
dl { display: flex; flex-wrap: wrap; gap: 4px 24px; margin: 0; }
dl div { display: flex; gap: 8px; min-width: 0; }
dl div.wide { flex-basis: 100%; }
dt { flex: none; color: var(--faint); }
dd { min-width: 0; margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.problem dd { color: var(--bad); }
[hidden] { display: none !important; }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; }
button {
  min-height: 30px;
  padding: 0 12px;
  border: 1px solid var(--faint);
  border-radius: 6px;
  background: var(--paper);
  color: inherit;
  font: inherit;
  cursor: pointer;
}
button:hover { border-color: var(--link); color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
summary:focus-visible, pre:focus-visible { outline-offset: -2px; }
@media (max-width: 46rem) {
  section { max-height: 72vh; }
  summary { grid-template-columns: minmax(0, 1fr) auto; }
  .hint { visibility: hidden; }
  .preview { grid-row: 2; }
  .place { grid-row: 2; grid-column: 2; text-align: right; }
  .status { grid-row: 1; grid-column: 2; text-align: right; }
}
`;

const FACTS = [
  ["size", "Size"],
  ["revision", "Revision"],
  ["pending", "Pending changes"],
  ["writer", "Last write"],
  ["next", "Will be stored"],
  ["problem", "Problem"],
];
const MOST = 5000; // letters of a value

const shortened = (text, most) =>
  text.length > most ? `${text.slice(0, most)}… (${text.length - most} more)` : text;

const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

function factsOf(row) {
  const { text, revision, pending, by, time, problem = "" } = row;
  const clock = time ? new Date(time).toLocaleTimeString() : "";
  const others = pending?.others ? `, and ${pending.others} of other tabs` : "";
  return {
    size: text === null ? "nothing is stored" : counted(encoder.encode(text).length, "byte"),
    revision: revision === undefined ? "" : String(revision),
    pending: pending ? pending.count + others : "",
    writer: row.place === "address" || row.status === "copy"
      ? ""
      : by
      ? `${WRITERS[by]}, ${clock}`
      : text === null
      ? "never"
      : "before this page",
    next: pending?.count ? shortened(pending.text ?? "nothing", MOST) : "",
    problem,
  };
}

// Makes elements of a document.
const makerOf = (document) => (name, properties = {}, children = []) => {
  const { attributes = {}, ...own } = properties;
  const element = Object.assign(document.createElement(name), own);
  for (const each in attributes) element.setAttribute(each, attributes[each]);
  element.append(...children);
  return element;
};

const set = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};

const nameOf = ({ key, place }) =>
  key || (place === "address" ? "the text behind #" : "(empty name)");

// The elements of a key. `change` overwrites the text of a row by the result of a function.
function makeCard(make, row, change) {
  const name = nameOf(row), card = { row };
  card.preview = make("span", { className: "preview" });
  card.status = make("span", { className: "status" });
  card.value = make("pre", {
    tabIndex: 0,
    attributes: { role: "group", "aria-label": `The text under ${name}` },
  });
  card.facts = FACTS.map(([fact, textContent]) => {
    const dd = make("dd");
    const className = `${fact} ${/next|problem/.test(fact) ? "wide" : ""}`;
    return [fact, dd, make("div", { className }, [make("dt", { textContent }), dd])];
  });
  const button = (textContent, done, textOf) =>
    make("button", {
      type: "button",
      textContent,
      className: textContent.toLowerCase(),
      onclick: () => change(card.row, textOf(card.row.text ?? ""), `${name} is ${done}.`),
      attributes: { "aria-label": `${textContent} ${name}` },
    });
  const damage = button("Damage", "damaged", (text) => text + "{");
  damage.hidden = row.status === "copy" || row.place === "address";
  const summary = make("summary", {}, [
    make("span", { className: "key", textContent: name }),
    card.preview,
    make("span", { className: "place", textContent: row.place }),
    card.status,
  ]);
  const body = make("div", { className: "body" }, [
    card.value,
    make("dl", {}, card.facts.map(([, , part]) => part)),
    make("div", { className: "buttons" }, [damage, button("Clear", "removed", () => null)]),
  ]);
  card.element = make("li", {}, [make("details", {}, [summary, body])]);
  return card;
}

function showCard(card, row) {
  const text = row.text ?? "", facts = factsOf(row);
  card.row = row;
  set(card.preview, shortened(text, 200));
  set(card.value, shortened(text, MOST));
  set(card.status, row.status);
  card.status.dataset.status = row.status;
  for (const [fact, dd, part] of card.facts) {
    set(dd, facts[fact]);
    part.hidden = facts[fact] === "";
  }
}

// Shows rows in a list. Elements keep their places, so that the focus stays where it is.
function showCards(list, cards, rows, makeCardOf) {
  const ids = new Set(rows.map(idOf));
  for (const [id, card] of cards) {
    if (ids.has(id)) continue;
    card.element.remove();
    cards.delete(id);
  }
  let next = list.firstElementChild;
  for (const row of rows) {
    const id = idOf(row), isNew = !cards.has(id), card = cards.get(id) ?? makeCardOf(row);
    cards.set(id, card);
    showCard(card, row);
    if (isNew) list.insertBefore(card.element, next);
    else next = card.element.nextElementSibling;
  }
}

// The elements of the panel, in a shadow root. `actions` are the handlers of its buttons.
function makeParts(window, make, actions) {
  const button = (textContent, className) =>
    make("button", { type: "button", textContent, className, onclick: actions[className] });
  const answer = make("p", { className: "answer", attributes: { role: "status" } });
  const message = make("p", { className: "message", attributes: { role: "alert" } });
  const list = make("ul", { attributes: { "aria-label": "Keys" } });
  const empty = make("p", { className: "empty", textContent: "The program has used no key yet." });
  const panel = make("section", {
    tabIndex: -1,
    attributes: { role: "dialog", "aria-labelledby": "title" },
  }, [
    make("div", { className: "bar" }, [
      make("h2", { id: "title", textContent: "Storage of this page" }),
      make("p", { className: "hint", textContent: "F8 or Escape closes" }),
      button("Close", "close"),
    ]),
    message,
    empty,
    list,
    make("div", { className: "bar" }, [
      button("Fill localStorage", "fill"),
      button("Make room again", "free"),
      answer,
    ]),
  ]);
  const host = make("sharing-inspector"), shadow = host.attachShadow({ mode: "open" });
  const sheet = new window.CSSStyleSheet();
  sheet.replaceSync(STYLE); // a style element would need 'unsafe-inline' in the page's policy
  shadow.adoptedStyleSheets = [sheet];
  shadow.append(panel);
  return { answer, message, list, empty, panel, host };
}

// The panel of a window: follows programs, and opens and closes.
function makePanel(window) {
  const { document } = window, make = makerOf(document);
  const programs = new Set(), cards = new Map();
  let timer = 0, ticking = 0, former, isDue = false;

  const act = async (done, run) => {
    try {
      await run();
      set(parts.answer, done);
    } catch (error) {
      const { name, message } = /** @type {any} */ (error);
      set(parts.answer, [name, message].filter(Boolean).join(": "));
    }
    refresh();
  };
  const change = (row, text, done) => act(done, () => overwrite(row, text, window));
  const refresh = () => {
    isDue = false;
    if (!parts.host.isConnected) return;
    for (const program of runningIn(window)) if (program.note) follow(program);
    const { rows, message } = stateOf([...programs], window);
    showCards(parts.list, cards, rows, (row) => makeCard(make, row, change));
    parts.empty.hidden = rows.length > 0;
    set(parts.message, message);
  };
  // Once for all notes of a turn.
  const soon = () => {
    if (isDue || !parts.host.isConnected) return;
    isDue = true;
    timer = window.setTimeout(refresh);
  };
  const follow = (program) => {
    if (programs.has(program)) return;
    programs.add(program);
    const { note } = program;
    program.note = (...given) => {
      note(...given);
      soon();
    };
  };
  const open = () => {
    former = document.activeElement;
    document.body.append(parts.host);
    refresh();
    ticking = window.setInterval(refresh, 1000); // scripts of the page write without a note
    parts.panel.focus();
  };
  const close = () => {
    const hasFocus = document.activeElement === parts.host;
    window.clearInterval(ticking);
    window.clearTimeout(timer);
    isDue = false;
    parts.host.remove();
    if (hasFocus) former?.focus?.();
  };

  const parts = makeParts(window, make, {
    close,
    fill: () => act("localStorage is full.", () => fill(window.localStorage)),
    free: () => act("There is room again.", () => window.localStorage.removeItem(FILLER)),
  });
  parts.panel.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.stopPropagation();
    close();
  });
  return { follow, toggle: () => parts.host.isConnected ? close() : open() };
}

const panels = new WeakMap(), heard = new WeakSet();

const panelOf = (window) => {
  if (!panels.has(window)) panels.set(window, makePanel(window));
  return panels.get(window);
};

export const toggle = (window) => panelOf(window).toggle();

// Each program of a page calls it for the same event.
export const onKey = (event, program) => {
  const panel = panelOf(program.window);
  panel.follow(program);
  const { altKey, ctrlKey, metaKey, shiftKey, repeat, defaultPrevented } = event;
  if (altKey || ctrlKey || metaKey || shiftKey || repeat || defaultPrevented) return;
  if (heard.has(event)) return;
  heard.add(event);
  panel.toggle();
};
