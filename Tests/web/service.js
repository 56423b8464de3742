// @ts-check
// A REST service on this machine, with versions as ETags and with failures, as required by the
// article about custom engines.

import { once } from "node:events";
import { createServer } from "node:http";

/**
 * @typedef {number | "cut" | "lose" | undefined} Fault the status of the answer; "cut" ignores the
 *   request, "lose" performs it, and both close the connection without an answer
 */

/** Resources with versions, in memory. */
export class Service {
  /** @type {Map<string, { version: number, body: string }>} */
  resources = new Map();
  /** @type {[method: string, key: string, status: number][]} The answers. */
  log = [];
  /** @type {(method: string, key: string) => Fault} The fault of a request. */
  fault = () => undefined;

  #server = createServer(async (request, response) => {
    const key = new URL(request.url ?? "", "http://localhost").searchParams.get("key") ?? "";
    const { method = "", headers } = request;
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const fault = this.fault(method, key);
    if (fault === "cut") return request.socket.destroy();
    const answer = typeof fault === "number"
      ? { status: fault }
      : method === "GET"
      ? this.#get(key, headers["if-none-match"])
      : this.#put(key, body, headers["if-match"], headers["if-none-match"]);
    this.log.push([method, key, answer.status]);
    if (fault === "lose") return request.socket.destroy();
    if (answer.version) response.setHeader("ETag", `"${answer.version}"`);
    response.writeHead(answer.status).end(answer.body);
  });

  /** @returns the address, once it listens */
  async start() {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" && address?.port}/values`;
  }

  stop() {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** @returns {{ status: number, version?: number, body?: string }} */
  #get(/** @type {string} */ key, /** @type {string | undefined} */ unless) {
    const found = this.resources.get(key);
    if (!found) return { status: 404 };
    const { version, body } = found;
    return unless === `"${version}"` ? { status: 304, version } : { status: 200, version, body };
  }

  /** @returns {{ status: number, version?: number, body?: string }} */
  #put(
    /** @type {string} */ key,
    /** @type {string} */ body,
    /** @type {string | undefined} */ match,
    /** @type {string | undefined} */ unless,
  ) {
    const version = this.resources.get(key)?.version ?? 0;
    if (!match && unless !== "*") return { status: 428 };
    if (match ? match !== `"${version}"` || !version : version) return { status: 412 };
    this.resources.set(key, { version: version + 1, body });
    return { status: version ? 204 : 201, version: version + 1 };
  }
}
