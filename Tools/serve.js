// The script that `serve` adds to each page that it sends: reloads the page after a build, replaces
// style sheets, and shows why a build has failed. See serve.py. No other command adds it.
// @ts-check

/**
 * The first error of a build.
 * @typedef {{ place: string, message: string, source: string }} Failure
 */

/**
 * `styles` are the paths of style sheets, if nothing else has changed since the version before.
 * @typedef {{ version: number, styles: string[], failure: Failure | null }} State
 */

const KEPT = "serve: kept over a reload"; // in sessionStorage

let version = Number(new URL(import.meta.url).searchParams.get("version"));
/** @type {EventSource | undefined} */
let events;

// A browser opens six connections to a host, so a page closes its own while it is hidden.
function connect() {
  events?.close();
  events = undefined;
  if (document.hidden) return;
  events = new EventSource("/.serve/events");
  events.onmessage = ({ data }) => receive(JSON.parse(data));
}

/** @param {State} state */
function receive({ version: latest, styles, failure }) {
  show(failure);
  if (latest === version) return;
  if (latest !== version + 1 || !styles.length || !styles.every(replaceStyle)) return reload();
  version = latest;
}

/**
 * Loads a style sheet of the page again. Returns false if the page has no link to it.
 * @param {string} path
 */
function replaceStyle(path) {
  const links = [...document.querySelectorAll("link")].filter((link) =>
    link.relList.contains("stylesheet") && decodeURI(new URL(link.href).pathname) === path
  );
  for (const link of links) {
    const next = /** @type {HTMLLinkElement} */ (link.cloneNode());
    const address = new URL(link.href);
    address.searchParams.set("version", String(Date.now()));
    next.href = address.href;
    next.onload = () => link.remove(); // until then, the page keeps its style
    link.after(next);
  }
  return links.length > 0;
}

// MARK: Reloading

function reload() {
  const focused = document.activeElement;
  const name = focused?.getAttribute("name");
  const selector = focused?.id
    ? `#${CSS.escape(focused.id)}`
    : name && `[name="${CSS.escape(name)}"]`;
  sessionStorage.setItem(KEPT, JSON.stringify({ selector, x: scrollX, y: scrollY }));
  location.reload();
}

/**
 * Restores the focus and the scroll position as soon as the program has shown enough for it. Ends
 * when both have stayed for a quarter of a second, since a browser restores a position of its own,
 * too; after three seconds; or when the visitor does something.
 */
function restore() {
  const kept = sessionStorage.getItem(KEPT);
  if (!kept) return;
  sessionStorage.removeItem(KEPT);
  const { selector, x, y } = JSON.parse(kept);
  let attempts = 60;
  let successes = 0;
  for (const type of ["pointerdown", "keydown", "wheel"]) {
    addEventListener(type, ({ isTrusted }) => isTrusted && (attempts = 0), { once: true });
  }
  (function attempt() {
    if (attempts-- <= 0) return;
    const element = selector && document.querySelector(selector);
    const isFocused = !selector || element && document.activeElement === element;
    successes = isFocused && Math.abs(scrollY - y) <= 1 ? successes + 1 : 0;
    if (successes > 5) return;
    if (!isFocused) element?.focus({ preventScroll: true });
    scrollTo(x, y);
    setTimeout(attempt, 50);
  })();
}

// MARK: Failures

const COLORS = { background: "#1d1f21", color: "#f5f5f5" };

/**
 * Shows a failure over the page, or removes it. Sets each style by script, since the page's
 * Content Security Policy may forbid style sheets.
 * @param {Failure | null} failure
 */
function show(failure) {
  document.querySelector("serve-failure")?.remove();
  if (!failure) return;
  const host = document.createElement("serve-failure");
  const panel = document.createElement("section");
  panel.setAttribute("role", "alert");
  Object.assign(panel.style, COLORS, {
    position: "fixed",
    inset: "auto 0 0",
    zIndex: "2147483647",
    maxHeight: "60vh",
    overflow: "auto",
    boxSizing: "border-box",
    padding: "1em 1.5em",
    borderTop: "4px solid #e5534b",
    font: "14px/1.5 ui-monospace, monospace",
  });
  const title = add(panel, "strong", failure.message);
  title.style.font = "bold 16px/1.5 system-ui, sans-serif";
  add(panel, "div", failure.place);
  add(panel, "pre", failure.source).style.margin = "1em 0 0";
  host.attachShadow({ mode: "open" }).append(panel);
  document.documentElement.append(host);
}

/**
 * @param {HTMLElement} parent
 * @param {string} name
 * @param {string} text
 */
function add(parent, name, text) {
  const element = document.createElement(name);
  element.textContent = text;
  parent.append(element);
  return element;
}

document.addEventListener("visibilitychange", connect);
connect();
restore();
