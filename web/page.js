// @ts-check
// Binds a page to a program, which sets texts; the HTML says where they show:
//   data-text="name"       as text
//   data-bind="to:name …"  as value, checked, focus, time (of setting), .class or attribute
//   data-rows="name"       as rows like the <template>: JSON of all, or of one that changes or is
//                          "gone", by data-key; one that is "editing" stays
//   data-click="event"     sends the event, the row's key and the field's text; -dblclick,
//                          -focusout, -enter, -escape
// Its own names tell of the program: "status", "running", "stopped".

/**
 * @typedef {(name: string, value?: string) => void} Send
 * @typedef {object} Page
 * @property {(name: string, text: string) => number} set in how many places it shows
 * @property {(send: Send) => void} ready
 * @property {(message: string) => void} fail
 */

const targets = {
  text: (element, value) => element.textContent = value,
  value: (element, value) => element.value = value,
  // A click changes what the browser shows by itself: see what follows an event.
  checked: (element, value) => element.checked = element.isOn = value,
  focus: (element, value) => value && element.focus({ preventScroll: true }),
  time: (element, value) => element.textContent = value && new Date().toLocaleTimeString(),
};

function show(element, target, value) {
  if (targets[target]) targets[target](element, value);
  else if (target[0] === ".") element.classList.toggle(target.slice(1), !!value);
  else if (value) element.setAttribute(target, value);
  else element.removeAttribute(target);
}

const parts = (element) => [element, ...element.querySelectorAll("*")];

const bindings = ({ dataset: { text, bind } }) =>
  [bind, text && "text:" + text].join(" ").match(/\S+/g)?.map((pair) => pair.split(":")) ?? [];

function rowsOf(list) {
  const { firstElementChild: template, dataset: { key: id } } = list;
  const pattern = template.content.firstElementChild;
  const plan = parts(pattern).map(bindings);
  const rows = new Map();
  const update = (fields, force) => {
    const key = fields[id];
    let row = rows.get(key);
    if (row?.fields.editing && !("editing" in fields)) return row;
    if (fields.gone) return rows.delete(key) && row.remove();
    if (!row) {
      rows.set(key, row = pattern.cloneNode(true));
      Object.assign(row, { key, parts: parts(row), fields: {} });
    }
    plan.forEach((pairs, index) => {
      for (const [target, name] of pairs) {
        const value = fields[name];
        if (name in fields && (force || value !== row.fields[name])) {
          show(row.parts[index], target, value);
        }
      }
    });
    Object.assign(row.fields, fields);
    return row;
  };
  return (json) => {
    const change = JSON.parse(json);
    if (!change.map) {
      const row = update(change, true);
      return change.gone || row.parentNode || list.append(row);
    }
    const kept = new Set(change.map((fields) => fields[id]));
    for (const key of rows.keys()) kept.has(key) || update({ [id]: key, gone: true });
    let next = template.nextElementSibling;
    for (const fields of change) {
      while (next && !kept.has(next.key)) next = next.nextElementSibling;
      const row = update(fields);
      if (row === next) next = next.nextElementSibling;
      else list.insertBefore(row, next);
    }
  };
}

/** @returns {Page} */
export function bind(/** @type {Document} */ root) {
  const places = {};
  const add = (name, place) => (places[name] ??= []).push(place);
  for (const element of /** @type {any} */ (root.querySelectorAll("*"))) {
    for (const [target, name] of bindings(element)) {
      add(name, (text) => show(element, target, text));
    }
    if (element.dataset.rows) add(element.dataset.rows, rowsOf(element));
  }
  const set = (name, text) => (places[name] ?? []).map((place) => place(text)).length;
  const report = (message, running, stopped) => {
    set("status", message);
    set("stopped", stopped);
    set("running", running);
  };
  return {
    set,
    ready(send) {
      for (const type of ["click", "dblclick", "focusout", "keydown"]) {
        root.addEventListener(
          type,
          (/** @type {any} */ { key = "", isComposing, repeat, target }) => {
            const name = key ? key.toLowerCase() : type;
            const element = /^[a-z]+$/.test(name) && target.closest(`[data-${name}]`);
            // Another window is no other field.
            const stays = type === "focusout" && target === root.activeElement;
            if (!element || isComposing || repeat || stays) return;
            const row = element.closest("[data-rows]>*");
            const field = root.getElementById(element.dataset.field) ?? element;
            const words = row ? [row.key] : [];
            if (field.matches("textarea,input:not([type])")) words.push(field.value);
            send(element.dataset[name], words.join(" "));
            if ("isOn" in element) element.checked = element.isOn;
          },
        );
      }
      report("", "true", "");
    },
    fail: (message) => report(`${message} What was stored is safe; a reload may help.`, "", "true"),
  };
}
