// @ts-check
// In place of JavaScriptKit's runtime: it has the members that a loader uses, and the calls of the
// program that Tools/guides.py writes.

class UnsafeEventLoopYield extends Error {}

export class SwiftRuntime {
  UnsafeEventLoopYield = UnsafeEventLoopYield;
  /** @type {any} */
  instance = null;
  wasmImports = {
    show(/** @type {number} */ count) {
      const output = /** @type {HTMLElement} */ (document.querySelector("#count"));
      output.textContent = String(count);
    },
  };

  setInstance(/** @type {any} */ instance) {
    this.instance = instance;
    if (typeof instance.exports._start === "function") throw Error("it exports _start");
  }

  main() {
    const { exports } = this.instance;
    exports.__main_argc_argv(0, 0);
    const button = /** @type {HTMLElement} */ (document.querySelector("#increment"));
    button.addEventListener("click", () => exports.page_clicked());
  }
}
