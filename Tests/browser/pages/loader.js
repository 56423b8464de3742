// @ts-check
// A loader of the tests' own, which runs LoaderProgram.

// @ts-types="../../../JavaScript/sharing.d.ts"
import { connect } from "../../../JavaScript/sharing.js";

const element = (
  /** @type {string} */ id,
) => /** @type {HTMLElement} */ (document.getElementById(id));

/** What a test has put there: where the setter throws, and what the loader leaves out. */
const { limit = Infinity, without = "" } = /** @type {any} */ (globalThis).given ?? {};

const sharing = await connect(window, {
  name: "loader",
  inspector: /** @type {any} */ (globalThis).inspector,
  fail: (message) => element("status").textContent = message,
});
const loader = {
  show(/** @type {number} */ count) {
    if (count >= limit) throw Error("the setter says no");
    element("count").textContent = String(count);
  },
  show_run: (/** @type {number} */ run) => element("runs").textContent = String(run),
};

// Not at the module's top level: WebKit tells a page nothing of what is thrown there.
const load = async () => {
  const imports = without === "imports" ? { other: sharing.imports.sharing } : sharing.imports;
  const address = without === "module" ? "missing.wasm" : "loader.wasm";
  const { instance } = await WebAssembly.instantiateStreaming(fetch(address), {
    loader,
    wasi_snapshot_preview1: sharing.wasi.wasiImport,
    .../** @type {any} */ (imports),
  });
  /** @type {any} */
  const { exports } = without === "attach" ? instance : sharing.attach(instance);
  exports._initialize();
  exports.__main_argc_argv(0, 0);
  for (const button of document.querySelectorAll("button")) {
    button.addEventListener("click", () => exports.loader_clicked(+button.value));
  }
  Object.assign(globalThis, { sharing });
  if (!without) element("status").textContent ||= "ready";
};

load();
