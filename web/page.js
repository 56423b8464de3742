// @ts-check
// Binds a page to a program, which sets texts under names; the HTML says where they show:
//   data-text="name"       as text
//   data-bind="to:name …"  as value, checked, focus, time (of setting), .class or attribute
//   data-rows="name"       as rows like the <template>: JSON, an array of all or one that changes;
//                          data-key tells them apart, "gone" takes one away, "editing" keeps it
//   data-click="event"     sends the event with the row's key and the field's text; -dblclick,
//                          -focusout, -enter, -escape do so, too
// The binder's own names say how the program is: "status" in words, "running", "stopped".

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
  checked: (element, value) => element.checked = value,
  focus: (element, value) => value && element.focus(),
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
  `${bind ?? ""} ${text ? "text:" + text : ""}`.match(/\S+/g)?.map((pair) => pair.split(":")) ?? [];

function rowsOf(list) {
  const { firstElementChild: template, dataset: { key: id } } = list;
  const pattern = template.content.firstElementChild;
  const plan = parts(pattern).map(bindings);
  const rows = new Map();
  const update = (fields, known) => {
    const key = fields[id];
    let row = rows.get(key);
    if (!row) {
      rows.set(key, row = pattern.cloneNode(true));
      Object.assign(row, { key, parts: parts(row), fields: {} });
    }
    if (row.fields.editing && !("editing" in fields)) return row;
    plan.forEach((pairs, index) => {
      for (const [target, name] of pairs) {
        if (name in fields && fields[name] !== known?.[name]) {
          show(row.parts[index], target, fields[name]);
        }
      }
    });
    Object.assign(row.fields, fields);
    return row;
  };
  const remove = (row) => {
    if (!row || row.fields.editing) return;
    row.remove();
    rows.delete(row.key);
  };
  return (json) => {
    const change = JSON.parse(json);
    if (change.gone) return remove(rows.get(change[id]));
    if (!change.map) {
      const row = update(change);
      return row.parentNode || list.append(row);
    }
    const kept = new Set(change.map((fields) => fields[id]));
    for (const row of rows.values()) kept.has(row.key) || remove(row);
    let next = template.nextElementSibling;
    for (const fields of change) {
      while (next && !kept.has(next.key)) next = next.nextElementSibling;
      const row = update(fields, rows.get(fields[id])?.fields);
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
  /** @type {Page["set"]} */
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
        root.addEventListener(type, (/** @type {any} */ { key = "", isComposing, target }) => {
          const name = key ? key.toLowerCase() : type;
          const element = /^[a-z]+$/.test(name) && target.closest(`[data-${name}]`);
          // Whoever goes to another window has not left the field.
          const stays = type === "focusout" && target === root.activeElement;
          if (!element || isComposing || stays) return;
          const row = element.closest("[data-rows]>*");
          const field = root.getElementById(element.dataset.field) ?? element;
          const words = row ? [row.key] : [];
          if (field.matches("textarea,input:not([type])")) words.push(field.value);
          send(element.dataset[name], words.join(" "));
        });
      }
      report("", "true", "");
    },
    fail: (message) => report(`${message} What was stored is safe; a reload may help.`, "", "true"),
  };
}
