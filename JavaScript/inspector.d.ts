// The stored values of a page's programs, for people who develop or debug an app.

/**
 * Opens the inspector in a page, or closes it, as the key F8 does.
 *
 * The page names the inspector in the options of `start` or `connect`; then F8 loads and opens it:
 *
 * ```js
 * const program = fetch(new URL("app.wasm", import.meta.url));
 * start(program, window, bind(document), { inspector: () => import("./inspector.js") });
 * ```
 * Call `toggle` for a button of your own, as on a phone, which has no F8:
 *
 * ```js
 * button.onclick = async () => (await import("./inspector.js")).toggle(window);
 * ```
 * It lists the keys that programs with that option have used: the stored text and its size, the
 * store, the status, the last writer, and under keys of an engine the revision and the pending
 * changes. "Damage" and "Clear" change one key as another program does.
 * @param window the window of the programs
 */
export function toggle(window: Window & typeof globalThis): void;

/** Called by `start` and `connect` when F8 is pressed; see `Options.inspector` of sharing.js. */
export function onKey(event: KeyboardEvent, program: object): void;
