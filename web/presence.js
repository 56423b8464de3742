// @ts-check
// Who has the page open: a program of its own, which only the visitors of `…/?nats=` load.

// @ts-types="../JavaScript/page.d.ts"
import { bind } from "./page.js";
// @ts-types="../JavaScript/sharing.d.ts"
import { start } from "./sharing.js";

const SECTION = `
  <h2 id="here-heading">Here now</h2>
  <ul aria-labelledby="here-heading" data-rows="visitors" data-key="id">
    <template>
      <li>
        <svg viewBox="0 0 10 10" aria-hidden="true">
          <rect width="10" height="10" rx="5" data-bind="fill:colour"/>
        </svg>
        <span class="name" data-text="name"></span>
        <span class="note" data-text="note"></span>
      </li>
    </template>
  </ul>
  <p role="status" data-text="here">…</p>`;

const MANNERS = "Brave Calm Clever Gentle Jolly Keen Lucky Merry Quiet Swift Tidy Witty".split(" ");
const ANIMALS = "Badger Crane Finch Fox Hare Heron Lynx Marten Otter Owl Seal Stork".split(" ");

const any = (/** @type {number} */ count) => Math.floor(Math.random() * count);

/** The visitor of this browser: the same in all of its tabs, and the next time. */
const visitorOf = (/** @type {Window} */ window) => {
  const made = () => ({
    id: Math.random().toString(36).slice(2),
    name: `${MANNERS[any(MANNERS.length)]} ${ANIMALS[any(ANIMALS.length)]}`,
    hue: any(360),
  });
  try {
    const visitor = JSON.parse(window.localStorage.getItem("visitor") ?? "null") ?? made();
    window.localStorage.setItem("visitor", JSON.stringify(visitor));
    return visitor;
  } catch {
    return made(); // nothing is kept here
  }
};

const addSection = (/** @type {Document} */ document) => {
  const section = document.createElement("section"), style = document.createElement("link");
  Object.assign(style, { rel: "stylesheet", href: "presence.css" });
  section.className = "here";
  section.setAttribute("aria-labelledby", "here-heading");
  section.innerHTML = SECTION;
  document.head.append(style);
  document.querySelector("main")?.before(section);
  return section;
};

/**
 * Shows who is here, and tells the others of this visitor.
 * @param {Window & typeof globalThis} window
 * @param {() => import("../JavaScript/sharing.js").Engine} connect
 */
export const showPresence = (window, connect) => {
  const { document } = window, { id, ...visitor } = visitorOf(window);
  const section = addSection(document);
  /** @type {(name: string, text: string) => void} */
  let send = () => {}, isHere = true;
  const stay = () => {
    if (isHere) send("stay", `${id} ${JSON.stringify({ ...visitor, time: Date.now() })}`);
  };
  // Before the engine closes its connection; and before Firefox does, which is sooner. Who stays
  // all the same is here again soon.
  for (const type of ["beforeunload", "pagehide"]) {
    window.addEventListener(type, () => {
      isHere = type === "beforeunload";
      send("leave", "");
    });
  }
  window.addEventListener("pageshow", () => {
    isHere = true;
    stay();
  });
  const { set } = bind(/** @type {any} */ (section));
  const page = {
    set,
    ready(/** @type {typeof send} */ given) {
      send = given;
      stay();
      // The timers of a hidden page may come once a minute.
      window.setInterval(stay, 20_000);
      document.addEventListener("visibilitychange", stay);
    },
    fail: () => section.remove(),
  };
  const program = fetch("presence.wasm", { cache: "no-cache" });
  return start(program, window, page, { engines: { world: connect() } });
};
