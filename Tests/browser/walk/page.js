// @ts-check
// Runs the actions of the random walk in a page, and reads its state. It runs before the page's own
// scripts, so that it can hold back their storage events.
//
// A *mark* shows that all events of a writer have arrived, since events are ordered. A page that
// gets "7!" from a writer has handled them, and sets "7" in its own item. A page that has received
// this from all others is quiet.

(() => {
  const MARK = "walk.";
  const RULED = /^(count|todos-sharing)/;
  const name = Math.random().toString(36).slice(2);
  const heard = {}; // the last number, by page
  let mine = 0, waiting = [], held;

  const mark = (number, call = "!") => {
    mine = Math.max(mine, number);
    localStorage.setItem(MARK + name, mine + call);
  };

  addEventListener("storage", (event) => {
    const { key, newValue } = event;
    if (key?.startsWith(MARK)) {
      event.stopImmediatePropagation();
      if (newValue === null) return;
      const number = parseInt(newValue);
      heard[key.slice(MARK.length)] = number;
      if (newValue.endsWith("!")) mark(number, "");
      for (const look of waiting) look();
    } else if (held) {
      event.stopImmediatePropagation();
      held.push(event);
    }
  }, true);

  /** Waits until all events that the others sent before this mark have arrived. */
  const quiet = (number, others, patience) =>
    new Promise((resolve) => {
      const isQuiet = () => mine >= number && missing().length === 0;
      const end = (answer) => {
        clearTimeout(timer);
        waiting = waiting.filter((each) => each !== look);
        resolve(answer);
      };
      const look = () => isQuiet() && end("");
      const missing = () => others.filter((other) => !(heard[other] >= number));
      const timer = setTimeout(() => end(`no storage event from ${missing()}.`), patience);
      waiting.push(look);
      look();
    });

  // MARK: User actions

  const one = (selector) => /** @type {any} */ (document.querySelector(selector));
  const isThere = (element) => element && !element.closest("[hidden]");
  const rows = () => /** @type {any[]} */ ([...document.querySelectorAll(".todo-list > li")]);
  const isEdited = (row) => row.classList.contains("editing");
  const row = (number) => {
    const others = rows().filter((row) => !isEdited(row));
    return others.at(number % (others.length || 1));
  };
  const field = () => one(".editing .edit");
  const press = (element, key) =>
    element?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));

  /** Moves the focus elsewhere. A window in the background gets no event for this. */
  const leave = () => {
    field()?.blur();
    field()?.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
  };

  const click = (find) => {
    leave();
    const element = find();
    if (isThere(element)) element.click();
  };

  const deeds = {
    add(title) {
      leave();
      one(".new-todo").value = title;
      one(".new-todo").form.requestSubmit();
    },
    toggle: (number) => click(() => row(number)?.querySelector(".toggle")),
    remove: (number) => click(() => row(number)?.querySelector(".destroy")),
    begin(number) {
      leave();
      row(number)?.querySelector("label").dispatchEvent(
        new MouseEvent("dblclick", { bubbles: true }),
      );
    },
    type: (text) => field() && (field().value = text),
    enter: () => press(field(), "Enter"),
    escape: () => press(field(), "Escape"),
    leave,
    click: (selector) => click(() => one(selector)),
    filter: (number) => click(() => document.querySelectorAll(".filters a")[number]),
    /** Damages or clears a value, and tells the program, as the inspector does. */
    inspect(key, action) {
      leave();
      const text = localStorage.getItem(key) ?? "";
      if (action === "clear") localStorage.removeItem(key);
      else localStorage.setItem(key, text + "{");
      for (const program of globalThis[Symbol.for("wasm-sharing")]) program.changed(0, key);
    },
    put(key, text) {
      if (text === null) localStorage.removeItem(key);
      else localStorage.setItem(key, text);
    },
  };

  // MARK: Shown values

  const text = (selector) => one(selector)?.textContent.trim() ?? null;
  const shown = () => ({
    status: text("[data-text=program-error]"),
    notice: text("[data-text=storage-error]") !== "",
    rows: rows().filter((row) => !isEdited(row)).map((row) => [
      row.querySelector("label").textContent,
      row.querySelector(".toggle").checked,
      row.classList.contains("completed"),
    ]),
    editing: rows().filter(isEdited).map((row) => row.querySelector(".edit").value),
    isTyping: document.activeElement?.className === "edit",
    left: text(".todo-count"),
    badge: text(".badge"),
    progress: text(".done"),
    hasList: isThere(one(".main")),
    hasFooter: isThere(one(".footer")),
    hasClear: isThere(one(".clear-completed")),
    areAllCompleted: one(".toggle-all")?.checked,
    filter: [...document.querySelectorAll(".filters .selected")].map((one) => one.textContent),
    current: [...document.querySelectorAll(".filters [aria-current]")].map((one) =>
      one.textContent
    ),
    hash: location.hash,
    draft: one(".new-todo")?.value,
    count: text("#count"),
  });

  const stored = () =>
    Object.fromEntries(
      Object.keys(localStorage).filter((key) => RULED.test(key)).map((key) => [
        key,
        localStorage.getItem(key),
      ]),
    );

  const walk = {
    name,
    racing: Promise.resolve(),
    quiet,
    /** Runs actions in one task, then sets a mark. */
    act(json, number) {
      for (const [deed, ...args] of JSON.parse(json)) deeds[deed](...args);
      mark(number);
    },
    /** Begins to repeat an action, with time for events in between. */
    race(json, count) {
      const [deed, ...args] = JSON.parse(json);
      walk.racing = (async () => {
        for (let times = 0; times < count; times += 1) {
          deeds[deed](...args);
          await new Promise((resolve) => setTimeout(resolve));
        }
      })();
    },
    /** Begins to hold back events from the page. */
    hold: () => void (held ??= []),
    /** Delivers the held events, unless they are lost. */
    release(isLost) {
      const events = held ?? [];
      held = undefined;
      for (const { key, oldValue, newValue, storageArea, url } of isLost ? [] : events) {
        dispatchEvent(new StorageEvent("storage", { key, oldValue, newValue, storageArea, url }));
      }
    },
    /** Waits until the page is quiet; returns its shown values and the storage as JSON. */
    async look(number, others, patience) {
      const problem = await quiet(number, others, patience);
      return JSON.stringify({ problem, shown: shown(), stored: stored() });
    },
  };
  Object.assign(globalThis, { walk });
  void localStorage.length; // WebKit sends events only after it is read.
})();
