// Values that people share, on a NATS server.

import type { Engine } from "../../../JavaScript/sharing.d.ts";

/** The user, as the server knows it; empty if a cookie names the user. */
export type Credentials =
  | { user: string; pass: string }
  | { jwt: string }
  | { token: string }
  | Record<never, never>;

export interface NATSOptions {
  /** WebSocket addresses of the servers of one cluster, which are tried in turn. */
  servers: string[];

  /** The bucket's name. Its stream, `KV_` and that name, has to be there. */
  bucket: string;

  /**
   * Called anew for each connection, so that a token may expire. The answer is sent to the server,
   * and not kept. The server has to accept a JWT without a signature: a bearer token.
   */
  credentials?: () => Credentials | Promise<Credentials>;

  /** The prefix for answers; by default `_INBOX_<user>` where there is a user, or `_INBOX`. */
  inbox?: string;

  /** The prefix of the subjects of changes: `watch.<user>` where there is a user, or `watch`. */
  watch?: string;

  /**
   * Where consumers are created: by default `KVAPI.CREATE`, as which an account of pages imports
   * `$JS.API.CONSUMER.CREATE.KV_<bucket>`; that itself where there is one account for all.
   */
  create?: string;
}

/** Whether the server can be reached now. */
export interface ConnectionStatus {
  isConnected: boolean;

  /** The problem, as a text for visitors; empty if there is none. */
  message: string;
}

export interface NATSEngine extends Engine {
  /** Calls `onStatus` at once, and after each change. There is one such function at a time. */
  status(onStatus: (status: ConnectionStatus) => void): void;

  /** Ends the connection for good. Requests under way fail. */
  close(): void;
}

/**
 * An engine over a bucket of NATS JetStream, by WebSocket. Everyone with write permission may
 * change a value at the same moment as others, and no change is lost.
 *
 * ```js
 * const world = nats({
 *   servers: ["wss://a.example:443", "wss://b.example:443"],
 *   bucket: "app",
 *   credentials: async () => ({ jwt: await (await fetch("/token")).text() }),
 * });
 * start(source, window, page, { engines: { world } });
 * ```
 * - **Keys** are those of the bucket. A byte of its UTF-8 that is no letter of ASCII, digit, `-` or
 *   `_` is written as `=` and two hexadecimal digits (A–F), and so is a full stop that separates
 *   nothing: `public.tally` stays, `a b*` is `a=20b=2A`, `.a..b` is `=2Ea.=2Eb`, and the empty key
 *   is `=`.
 * - **Records** are JSON, `{"seen":[["client",step],…],"text":…}`, with null for a removed value.
 *   `seen` has the last steps of the 64 clients that were last to commit to the key, the last one
 *   first. A commit with a lost answer is stored once if it is repeated before 64 other clients
 *   have committed. Other bytes in the bucket are given as `No record: …`, which does not decode,
 *   and can be replaced; an empty message, such as a deletion, is a removed value.
 * - **A commit** stores its entries one by one: first those that expect no revision, the copies,
 *   then each of the others where its revision is still the last one. After a failure in between,
 *   the same commit stores the rest. `applied` is the least of its keys' last steps, so that a
 *   client had better be of one key.
 * - **Changes** are reported for keys that have been loaded. After each connection, an empty report
 *   says that pending changes can go on. If the user may not follow a key any more, or the server
 *   takes no more consumers, that is reported once. The former is tried again with the next
 *   connection, the latter after 8 s.
 * - **Failures** have a `name`. `UnavailableError`: the server, or a leader of the bucket, cannot
 *   be reached for 3 s, or does not answer for 5 s. The commit may have been stored: repeat it
 *   unchanged. `DeniedError`: the user has no permission for the key, or `load` would never receive
 *   its changes. `QuotaError`: more than the server takes. `NotFoundError`: there is no bucket.
 * - **Connections** that are lost are made anew, after 250 ms at first and 10 s at last, less a
 *   random part; so are those on which nothing has come for 10 s. They end when the page is left,
 *   and begin again when it is shown from the back/forward cache. A cluster of servers before
 *   2.10.27 loses updates, and is refused.
 * - **The server** sees one consumer for each key, which ends by itself 20 s after the
 *   page. A consumer that is silent for 3 s, or omits a message, is replaced.
 */
export function nats(options: NATSOptions, window?: typeof globalThis): NATSEngine;

/**
 * Returns the options of a household's server, from the address that `swift run wasm household`
 * prints. At this address, the page keeps the server and its token in `localStorage`, under
 * `household:` and the page's folder, and removes them from the address. At the address of another
 * server than the kept one, `confirm` asks first. Without both, `prompt` asks for the address.
 *
 * ```js
 * const home = nats(household(window, "The address of our household"), window);
 * ```
 * @param question the text of `prompt`, and the message of the engine's status without an answer
 */
export function household(window: Window, question: string): NATSOptions;
