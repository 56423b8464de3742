// @ts-check
// The server of a household, in the address that `swift run wasm household` prints.

const MARK = "#household=";

/**
 * @param {any} window
 * @param {string} question
 */
export const household = (window, question) => {
  const { history, location } = window;
  const given = serverIn(location.hash), kept = serverIn(read(window));
  if (given) history.replaceState(history.state, "", location.pathname + location.search);
  // A link of a stranger must not lead the page to another server.
  const isRefused = kept && given && kept.host !== given.host &&
    !window.confirm(`${question}: ${given.host}?`);
  const server = (isRefused ? kept : given ?? kept) ?? serverIn(window.prompt(question));
  if (server) keep(window, server.href);
  return {
    servers: [server ? `${server.protocol}//${server.host}` : ""],
    bucket: "app",
    credentials() {
      if (!server) throw Error(question);
      return { user: server.username, pass: server.password };
    },
  };
};

/** Returns the server in the address of a page, or in its own address; undefined in other texts. */
const serverIn = (text) => {
  try {
    const server = new URL(text.split(MARK).pop());
    return /^wss?:$/.test(server.protocol) && server.password ? server : undefined;
  } catch {
    return undefined;
  }
};

// The storage throws if a visitor has blocked it; then a server is known until the page is left.

/** Returns the name of the item: other apps of the origin have other folders. */
const itemOf = ({ location }) => `household:${new URL(".", location).pathname}`;

const read = (window) => {
  try {
    return window.localStorage.getItem(itemOf(window));
  } catch {
    return null;
  }
};

const keep = (window, address) => {
  try {
    window.localStorage.setItem(itemOf(window), address);
  } catch {
    // asked again next time
  }
};
