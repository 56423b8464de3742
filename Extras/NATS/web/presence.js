// @ts-check
// The visitors of the page: a program of its own, loaded only at addresses with `?nats=`.

// @ts-types="../../../JavaScript/page.d.ts"
import { bind } from "./page.js";
// @ts-types="../../../JavaScript/sharing.d.ts"
import { start } from "./sharing.js";

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

/** Puts the section of the template at the top of the page. */
const addSection = (/** @type {Document} */ document) => {
  const style = document.createElement("link");
  const { href } = new URL("presence.css", import.meta.url);
  Object.assign(style, { rel: "stylesheet", href });
  document.head.append(style);
  /** @type {HTMLTemplateElement | null} */
  const template = document.querySelector("template#presence");
  document.querySelector("main")?.before(template?.content.cloneNode(true) ?? "");
  return document.querySelector(".here") ?? document.body;
};

/**
 * Shows the visitors, and announces this one to the others.
 * @param {Window & typeof globalThis} window
 * @param {() => import("../../../JavaScript/sharing.d.ts").Engine} connect
 */
export const showPresence = (window, connect) => {
  const { document } = window, visitor = visitorOf(window);
  const section = addSection(document);
  /** @type {(name: string, text: string) => void} */
  let send = () => {}, isHere = true;
  const stay = () => {
    if (isHere) send("stay", JSON.stringify({ ...visitor, time: Date.now() }));
  };
  // Before the engine closes its connection; and before Firefox does, which is sooner. A visitor
  // that stays on the page is announced again soon.
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
  const { set } = bind(section);
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
  const program = fetch(new URL("presence.wasm", import.meta.url), { cache: "no-cache" });
  return start(program, window, page, { engines: { world: connect() } });
};
