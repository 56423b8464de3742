const targets = {
  __proto__: null,
  text: (element, value) => element.textContent = value,
  value(element, value) {
    const { dataset: { change }, known = element.value } = element;
    const isChoice = element.matches("select");
    element.held = null;
    element.shown = element.wanted = "" + value;
    element.isRefused = false;
    // What somebody types stays until it is sent, or the field is left.
    if (change && known !== element.value && element.matches(":focus") && !isChoice) {
      element.held = value;
      return;
    }
    // An equal value could move the caret.
    if (element.value !== element.shown) element.value = element.shown;
    element.known = element.value;
    if (isChoice) followOptions(element);
  },
  // A click changes it, too: see what follows an event.
  checked: (element, value) => element.checked = element.isOn = value,
  focus(element, value) {
    const focus = () => element.focus({ preventScroll: true });
    if (value) element.isConnected ? focus() : Promise.resolve().then(focus); // a new row
  },
  time: (element, value) => element.textContent = value ? new Date().toLocaleTimeString() : "",
};

// Options may come after the choice among them; without its own, a select shows the first one.
function followOptions(select) {
  if (select.isFollowed) return;
  select.isFollowed = true;
  const { MutationObserver } = select.ownerDocument.defaultView;
  const choose = () => {
    if (select.value !== select.wanted) select.value = select.wanted;
    select.known = select.value;
  };
  const options = { attributes: true, characterData: true, childList: true, subtree: true };
  new MutationObserver(choose).observe(select, options);
}

// Without them, an element has no such state: a button that may be pressed is another kind.
const states = /^aria-(checked|expanded|pressed|selected)$/;

function show(element, target, value) {
  if (targets[target]) targets[target](element, value);
  else if (target[0] === ".") element.classList.toggle(target.slice(1), !!value);
  else if (value || value === 0) element.setAttribute(target, value);
  else if (states.test(target)) element.setAttribute(target, "false");
  else element.removeAttribute(target);
}

const parts = (element) => [element, ...element.querySelectorAll("*")];

const bindings = ({ dataset: { text, bind } }) =>
  [bind, text && "text:" + text].join(" ").match(/\S+/g)?.map((pair) => pair.split(":")) ?? [];

// JSON begins no number with a point, or with more zeros than one.
const textOf = ({ type, value }) =>
  type === "number" ? value.replace(/^(-?)0*(?=\d)/, "$1").replace(/^(-?)\./, "$10.") : value;

const own = (fields, name) => Object.hasOwn(fields, name) ? fields[name] : undefined;

function rowsOf(list, listName) {
  const { firstElementChild: template, dataset: { key: id }, ownerDocument: document } = list;
  const pattern = template.content.firstElementChild;
  const plan = parts(pattern).map(bindings);
  const rows = new Map(); // by the text of the key
  let failure;
  const remove = (key) => {
    const row = rows.get(key);
    if (row?.fields.editing) return row.isGone = true;
    if (!rows.delete(key)) return;
    // What is typed in it is entered, as Chromium has it.
    if (row.contains(document.activeElement)) document.activeElement.blur();
    row.remove();
  };
  const make = (key) => {
    const row = document.importNode(pattern, true);
    rows.set(key, row);
    return Object.assign(row, { key, parts: parts(row), fields: { __proto__: null } });
  };
  const draw = (row, fields, force) => {
    plan.forEach((pairs, index) => {
      for (const [target, name] of pairs) {
        const value = own(fields, name);
        if (value !== undefined && (force || value !== row.fields[name])) {
          try {
            show(row.parts[index], target, value);
          } catch (error) {
            failure ??= error;
          }
        }
      }
    });
    Object.assign(row.fields, fields);
  };
  const keyOf = (fields) => {
    const key = own(fields, id);
    if (key == null) failure ??= Error(`An element under "${listName}" has no "${id}".`);
    return "" + key;
  };
  const update = (key, fields, force) => {
    const row = rows.get(key) ?? make(key);
    const isHeld = row.fields.editing && !Object.hasOwn(fields, "editing");
    if (isHeld || !force) row.isGone = false;
    if (isHeld) {
      row.held = { ...row.held, ...fields };
    } else if (row.held && !fields.editing) {
      draw(row, { ...row.held, ...fields }, force);
      row.held = null;
    } else {
      draw(row, fields, force);
    }
    if (row.isGone) remove(key);
    return row;
  };
  // Of two elements with one key, what the program does with the key is done with the first one.
  const withKeys = (elements) => {
    const fields = new Map();
    for (const element of elements) {
      const key = keyOf(element);
      if (!fields.has(key)) {
        fields.set(key, element);
      } else {
        failure ??= Error(
          `Two elements under "${listName}" have the key ${key}: the first one is shown.`,
        );
      }
    }
    return fields;
  };
  const showAll = (elements) => {
    const kept = withKeys(elements);
    for (const key of rows.keys()) kept.has(key) || remove(key);
    let next = template.nextElementSibling;
    for (const [key, fields] of kept) {
      while (next && !kept.has(next.key)) next = next.nextElementSibling;
      const row = update(key, fields);
      // One with the focus would lose it if it were moved: what is in its place is moved instead.
      while (next?.compareDocumentPosition(row) & 4 && row.matches(":focus-within")) {
        const other = next;
        next = next.nextElementSibling;
        list.append(other);
      }
      if (row === next) next = next.nextElementSibling;
      else list.insertBefore(row, next);
    }
  };
  return (json) => {
    const change = JSON.parse(json);
    failure = undefined;
    // Of a program before this one.
    if (!rows.size) [...list.children].forEach((row) => row.fields && row.remove());
    if (Array.isArray(change)) {
      showAll(change);
    } else if (Object.hasOwn(change, "gone") && !Object.hasOwn(change, id)) {
      remove("" + change.gone);
    } else {
      const row = update(keyOf(change), change, true);
      row.parentNode || row.isGone || list.append(row);
    }
    if (failure) throw failure;
  };
}

// The messages of the page about a program. If two share one page, the messages of one stay until
// it has others itself, and those of a stopped one until another program has some.
const messages = new Set([
  "running",
  "stopped",
  "program-error",
  "storage-error",
  "refused",
  "status", // the former name of "program-error"
  "notice", // the former name of "storage-error", which programs set in pages that have only it
]);

function joined(element, target, program, text) {
  element.said ??= { __proto__: null };
  const said = element.said[target] ??= new Map();
  for (const other of said.keys()) if (other.isStopped) said.delete(other);
  said.set(program, text);
  return [...new Set(said.values())].filter(Boolean).join(" ");
}

const keys = { __proto__: null, Enter: "enter", Escape: "escape" };

// The attribute of an event, behind `data-`.
const nameOf = ({ type, key }) =>
  type === "keydown" ? keys[key] : type === "compositionend" ? "input" : type;

export const bind = (root) => {
  const places = { __proto__: null };
  const program = { isStopped: false };
  let asked; // the field whose text was sent last
  const add = (name, place) => (places[name] ??= []).push(place);
  for (const element of root.querySelectorAll("*")) {
    for (const [target, name] of bindings(element)) {
      add(name, (text) => {
        const all = messages.has(name) ? joined(element, target, program, text) : text;
        show(element, target, all);
      });
    }
    const { rows } = element.dataset;
    if (rows) add(rows, rowsOf(element, rows));
  }
  // A text that was refused is no value. Who is still in the field can mend it.
  const refuse = (field) => {
    field.isRefused = true;
    if (!field.matches(":focus")) showAgain(field);
  };
  const showAgain = (field) => {
    field.value = field.known = field.wanted = field.shown;
    field.isRefused = false;
  };
  const set = (name, text) => {
    const failures = [];
    if (name === "refused" && text && asked) refuse(asked);
    for (const place of places[name] ?? []) {
      try {
        place(text);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length) throw failures[0];
    return places[name]?.length ?? 0;
  };
  const report = (message, running, stopped) => {
    set("program-error", message) || set("status", message);
    set("stopped", stopped);
    set("running", running);
  };
  return {
    set,
    ready(send, signal) {
      program.isStopped = false;
      let sending = 0;
      const hear = (event) => {
        const { type, key, keyCode, isComposing, repeat, shiftKey, target } = event;
        const name = nameOf(event);
        const element = name && target.closest?.(`[data-${name}]`);
        // Another window is no other field.
        const stays = type === "focusout" && target === root.activeElement;
        if (type === "focusout" && !stays) {
          if (target.held != null) targets.value(target, target.held);
          else if (target.isRefused) showAgain(target);
        }
        // A choice stays, whatever options come.
        if (type === "change" && target.isFollowed) target.wanted = target.value;
        // Of the key that ends a composition, Safari tells only by its code.
        if (!element || isComposing || keyCode === 229 || stays) return;
        if (name === "enter" && target.matches("textarea")) {
          if (shiftKey) return; // a line break
          event.preventDefault();
        }
        if (repeat) return;
        const row = element.closest("[data-rows]>*");
        const field = root.getElementById(element.dataset.field) ?? element;
        const words = row ? [row.key] : [];
        const kind = field.matches("textarea,select,input") ? field.type : "button";
        if (/checkbox|radio/.test(kind)) {
          if (/input|change/.test(type)) words.push(field.checked ? "true" : "");
        } else if (key !== "Escape" && !/button|submit|reset|image|file/.test(kind)) {
          words.push(textOf(field));
        }
        const text = words.join(" ");
        // UTF-8 has no half a surrogate pair.
        const refusal = /\p{Cs}/u.test(text) ? "An incomplete character cannot be stored." : "";
        asked = null;
        // A person has not left a field that goes.
        if (!sending) set("refused", refusal);
        sending++;
        if (!refusal) {
          field.known = field.value;
          if (/input|change/.test(name) && "shown" in field) asked = field;
          send(element.dataset[name], text);
        }
        sending--;
        // To choose a radio button ends the choice of another one.
        for (const box of [element, ...root.getElementsByName(element.name)]) {
          if ("isOn" in box) box.checked = box.isOn;
        }
      };
      for (const type of "click dblclick focusout keydown input change compositionend".split(" ")) {
        root.addEventListener(type, hear, { signal });
      }
      signal?.addEventListener("abort", () => {
        set("stopped", "true");
        set("running", "");
        program.isStopped = true;
      });
      report("", "true", "");
    },
    fail: (message) => report(`${message} What was stored is safe; a reload may help.`, "", "true"),
  };
};
