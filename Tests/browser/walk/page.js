// @ts-check
// What the random walk does in a page, and sees of it. It runs before the page's own scripts, so
// that it can keep storage events from them.
//
// A *mark* tells pages that all events of a writer have arrived, since those come in order: whoever
// hears "7!" from it has done what follows from them, and sets "7" in an item of its own. A page
// that has heard that from all others is quiet.

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

  /** Waits until all events have come that the others sent before their marks of this number. */
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

  // MARK: What a person does

  const one = (selector) => /** @type {any} */ (document.querySelector(selector));
  const isThere = (element) => element && !element.closest("[hidden]");
  const rows = () => /** @type {any[]} */ ([...document.querySelectorAll(".todo-list > li")]);
  const row = (number) => rows().at(number % (rows().length || 1));
  const field = () => one(".editing .edit");
  const press = (element, key) =>
    element?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));

  /** Goes elsewhere with the focus. A window that is not in front has no events of that. */
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
      press(one(".new-todo"), "Enter");
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
    panel: (number, button) => click(() => document.querySelectorAll(`.keys .${button}`)[number]),
    export: () => click(() => one("#export")),
    import(text) {
      leave();
      one("#document").value = text;
      click(() => one("#import"));
    },
    put(key, text) {
      if (text === null) localStorage.removeItem(key);
      else localStorage.setItem(key, text);
    },
  };

  // MARK: What it shows

  const text = (selector) => one(selector)?.textContent.trim() ?? null;
  const shown = () => ({
    status: text("[data-text=status]"),
    notice: text("[data-text=notice]") !== "",
    rows: rows().filter((row) => !row.classList.contains("editing")).map((row) => [
      row.querySelector("label").textContent,
      row.querySelector(".toggle").checked,
      row.classList.contains("completed"),
    ]),
    editing: rows().filter((row) => row.classList.contains("editing")).map((row) =>
      row.querySelector(".edit").value
    ),
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
    panels: [.../** @type {any} */ (document.querySelectorAll(".keys .key"))].slice(0, 2).map((
      panel,
    ) => [
      panel.querySelector("pre").textContent,
      panel.querySelector("[data-text=size]").textContent,
      panel.querySelector("[data-text=loadError]").textContent !== "",
      panel.querySelector("[data-text=saveError]").textContent,
    ]),
    document: one("#document")?.value,
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
    /** Does things in one task, and then says that all of it has been done. */
    act(json, number) {
      for (const [deed, ...args] of JSON.parse(json)) deeds[deed](...args);
      mark(number);
    },
    /** Begins to do one thing again and again, with room for events between. */
    race(json, count) {
      const [deed, ...args] = JSON.parse(json);
      walk.racing = (async () => {
        for (let times = 0; times < count; times += 1) {
          deeds[deed](...args);
          await new Promise((resolve) => setTimeout(resolve));
        }
      })();
    },
    /** Keeps events back from the page from now on. */
    hold: () => void (held ??= []),
    /** Lets the page hear what was kept back, unless that is lost. */
    release(isLost) {
      const events = held ?? [];
      held = undefined;
      for (const { key, oldValue, newValue, storageArea, url } of isLost ? [] : events) {
        dispatchEvent(new StorageEvent("storage", { key, oldValue, newValue, storageArea, url }));
      }
    },
    /** Waits until all is quiet; what the page shows and the storage holds then, as JSON. */
    async look(number, others, patience) {
      const problem = await quiet(number, others, patience);
      return JSON.stringify({ problem, shown: shown(), stored: stored() });
    },
  };
  Object.assign(globalThis, { walk });
  void localStorage.length; // WebKit sends events once it is read.
})();
