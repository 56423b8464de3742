// @ts-check
// A program that another loader runs: `connect` of sharing.js loads this module.

/**
 * Returns the connection of a program; see `Connection` of sharing.d.ts.
 * @param {import("./sharing/host.js").Host} host
 * @param {import("./sharing.d.ts").ConnectOptions | undefined} options
 * @param {any} window
 * @param {(wants: (name: string) => boolean) => Promise<any>} load loads the modules of engines
 */
export const connection = (host, options, window, load) => {
  const { fail, turn } = host;
  const watching = new AbortController(); // until attach
  const refuse = (error) => {
    fail(error, "cannot start");
    throw error;
  };

  let calls;
  try {
    calls = host.calls(options);
  } catch (error) {
    refuse(error);
  }

  let program, isAttached = false, isTold = false;
  const tellOnce = (tell) => {
    if (!isTold) tell();
    isTold = true;
  };

  // Checks that the loader calls imports within a turn. The call goes on: it may need no memory.
  const check = (name) => {
    if (!isAttached) {
      const advice = `It calls ${name} before attach: pass the instance to attach of connect, ` +
        "and call its exports after that.";
      tellOnce(() => fail("", "cannot start", advice));
    } else if (!turn.isUnderWay()) {
      const message = "The loader calls an export of the original instance, whose errors do not " +
        "stop the program. Give the loader the result of attach.";
      tellOnce(() => window.console.warn(message));
    }
  };

  // The loader compiles and instantiates the program, and its errors are the loader's. Uncaught
  // errors get to the window.
  const explain = ({ error, reason = error }) => {
    const why = host.explained(reason) || unlinked(reason) || notLoaded(reason);
    if (why) fail(reason, "cannot start", why);
  };
  for (const type of ["error", "unhandledrejection"]) {
    window.addEventListener(type, explain, { signal: watching.signal });
  }

  return {
    imports: {
      sharing: host.sharing({ ...calls, ...lateEngines(host, options, load) }, check),
    },

    wasi: {
      wasiImport: host.wasi(check),
      initialize: ({ exports }) => exports._initialize?.(),
      setInstance() {},
    },

    attach(instance, { signals = [] } = {}) {
      if (isAttached) throw Error("attach has an instance: call connect once for each program");
      if (!instance?.exports?.memory) {
        refuse(Error("attach needs an instance that exports its memory"));
      }
      isAttached = true;
      watching.abort();
      host.own(instance.exports);
      try {
        host.checkVersion();
      } catch (error) {
        refuse(error);
      }
      const exports = asTurns(instance.exports, turn, signals);
      host.own(exports); // what the page calls is a turn of the program, too
      program = host.run();
      return { exports };
    },

    get program() {
      return program;
    },
  };
};

// Returns exports whose functions are turns of the page and of the program, or parts of the one
// under way. The program saves its values when the outermost has returned, and none if it stops.
function asTurns(given, turn, signals) {
  const isSignal = (error) => signals.some((type) => error instanceof type);
  const asTurn = (call) => () => {
    given.sharing_turn_begin();
    try {
      return turn.within(call, isSignal);
    } finally {
      if (!turn.isOver()) given.sharing_turn_end();
    }
  };
  const exports = {};
  for (const [name, value] of Object.entries(given)) {
    // JavaScriptKit refuses programs that export `_start`.
    if (name === "_start") continue;
    exports[name] = typeof value === "function"
      ? (...words) => turn.within(asTurn(() => value(...words)), isSignal)
      : value;
  }
  return exports;
}

// Returns advice for a browser's error that names the imports of a program. Each browser has words
// of its own for a missing module.
const unlinked = (error) => {
  const message = error?.message;
  if (!/import/i.test(message) || !/\bsharing\b/.test(message)) return;
  return 'Its loader gives it no module "sharing": pass the imports of connect on under their ' +
    "name, as in { ...others, ...imports }.";
};

// Returns advice for a browser's error about the response or the first bytes of a program, such as
// those of a page for 404. Each browser has words of its own.
const notLoaded = (error) => {
  const message = error?.message;
  if (!/\bMIME type\b|\bok status\b|\bstatus code is not ok\b|\bmagic\b|\\0asm/i.test(message)) {
    return;
  }
  return "No program could be loaded: build it, and check its address in the page.";
};

// Returns the imports through which a program reaches engines. Their modules are loaded when it
// first calls; until then messages wait.
function lateEngines(host, options, load) {
  const { texts } = host;
  const engines = { __proto__: null, ...options?.engines };
  let calls, openDatabase, hasDatabase = false;
  /** @type {Promise<void> | null} */
  let last = null; // the call that waits, and was made last

  const prepare = async (wantsDatabase) => {
    if (calls && !wantsDatabase) return;
    const wants = (name) => name !== "engine_indexeddb" || wantsDatabase;
    // Messages wait as texts, since the memory they were in may have other contents then.
    const made = host.engines({ ...await load(wants), engines }, { text: String });
    openDatabase = made.engine_indexeddb;
    calls ??= made; // the first ones know the calls that are under way
  };

  // Answers undefined if the call has to wait.
  const soon = (call, wantsDatabase) => {
    if (!last && calls && !wantsDatabase) return call();
    const end = () => {
      if (last === own) last = null;
    };
    const own = last = Promise.resolve(last).then(() => prepare(wantsDatabase)).then(() => {
      end();
      call();
    }, (error) => {
      end();
      host.fail(error, "cannot reach its engines");
    }).catch(host.report);
  };

  const isKnown = (name) => engines[name] || hasDatabase && name === "indexedDB";

  return {
    engine_find: (pointer, count) => +!!isKnown(texts.text(pointer, count)),

    engine_send(pointer, count) {
      const message = texts.text(pointer, count);
      const [, name] = JSON.parse(message);
      if (!isKnown(name)) return 0;
      return soon(() => calls.engine_send(message)) ?? 1;
    },

    engine_indexeddb(pointer, count) {
      if (engines.indexedDB || hasDatabase) return 1;
      const app = texts.text(pointer, count);
      hasDatabase = true;
      soon(() => openDatabase(app), true);
      return 1;
    },
  };
}
