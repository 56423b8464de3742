// Values that lose nothing, in a page's IndexedDB.

import type { Engine } from "./sharing.d.ts";

/**
 * The engine of `.indexedDB` keys: tabs that change one value at the same moment lose nothing.
 *
 * `start` loads it for a program that has such keys. A page passes it only under another name:
 *
 * ```js
 * start(source, window, page, { engines: { drafts: indexedDB(window, "drafts") } });
 * ```
 * A commit survives the end of tab and browser; a power failure may take the last one.
 * The names of the database and of the channel by which tabs tell each other are `sharing`, or with
 * a name `sharing/NAME`. A transaction that does not end within 20 s counts as failed, and is tried
 * again. Each record has the last steps of the 64 clients that have stored it last: a commit that
 * comes again after so many others is stored a second time.
 */
export function indexedDB(window: Window & typeof globalThis, name?: string): Engine;
