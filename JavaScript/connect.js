// @ts-check

// A program that another loader runs: `connect` of sharing.js loads this, and passes the host of
// the program, and functions of its own.
export const connection = (host, options, window, { guarded, load }) => {
  const { fail, turn } = host;
  const watching = new AbortController();
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
  // The call goes on: it may need no memory.
  const check = (name) => {
    if (!isAttached) {
      const message = `it calls ${name} before attach: pass the instance to attach of connect, ` +
        "and call its exports after that";
      tellOnce(() => fail(Error(message), "cannot start"));
    } else if (!turn.isUnderWay()) {
      const message = "The loader calls an export of the original instance, whose errors do not " +
        "stop the program. Give the loader the result of attach.";
      tellOnce(() => window.console.warn(message));
    }
  };
  const explain = ({ error, reason = error }) => {
    const why = host.explained(reason) ?? unlinked(reason);
    if (why) fail(reason, "cannot start", why);
  };
  for (const type of ["error", "unhandledrejection"]) {
    window.addEventListener(type, explain, { signal: watching.signal });
  }
  return {
    imports: {
      sharing: guarded(
        { ...calls, ...lateEngines(host, options, load) },
        host.codeOf,
        host.codeOf,
        check,
      ),
    },
    wasi: {
      wasiImport: guarded(host.wasi, host.wasiCodeOf, host.wasiCodeOf, check),
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
        host.check();
      } catch (error) {
        refuse(error);
      }
      program = host.run();
      const isSignal = (error) => signals.some((type) => error instanceof type);
      const exports = {};
      for (const [name, value] of Object.entries(instance.exports)) {
        // JavaScriptKit refuses programs that export `_start`.
        if (name === "_start") continue;
        exports[name] = typeof value === "function"
          ? (...given) => turn.within(() => value(...given), isSignal)
          : value;
      }
      return { exports };
    },
    get program() {
      return program;
    },
  };
};

// What to do about a browser's error that names the imports of a program. Each browser has words of
// its own for a module that is missing.
const unlinked = (error) => {
  const message = error?.message;
  if (!/import/i.test(message) || !/\bsharing\b/.test(message)) return;
  return 'its loader gives it no module "sharing": pass the imports of connect on under their ' +
    "name, as in { ...others, ...imports }";
};

// The imports through which a program reaches engines. Their modules are loaded when it first
// calls; until then messages wait.
function lateEngines(host, options, load) {
  const { texts } = host, engines = { __proto__: null, ...options?.engines };
  let calls, openDatabase, last = null, hasDatabase = false;
  const prepare = async (wantsDatabase) => {
    const wants = (name) => name !== "engine_indexeddb" || wantsDatabase;
    if (calls && !wantsDatabase) return;
    const made = host.engines({ ...await load(wants), engines }, { text: String });
    openDatabase = made.engine_indexeddb;
    calls ??= made; // the first ones know the calls that are under way
  };
  // Answers undefined if the call has to wait.
  const soon = (call, wantsDatabase) => {
    if (!last && calls && !wantsDatabase) return call();
    const own = last = Promise.resolve(last).then(() => prepare(wantsDatabase)).then(() => {
      if (last === own) last = null;
      call();
    }).catch(host.report);
  };
  return {
    engine_find: (pointer, count) => {
      const name = texts.text(pointer, count);
      return +!!(engines[name] || hasDatabase && name === "indexedDB");
    },
    engine_send(pointer, count) {
      const message = texts.text(pointer, count), [, name] = JSON.parse(message);
      if (!engines[name] && !(hasDatabase && name === "indexedDB")) return 0;
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
