// @ts-check
/// <reference lib="deno.ns" />
// A minimal handwritten NATS client: no second server, no reconnection, no checks.

const encoder = new TextEncoder(), decoder = new TextDecoder();

/** @typedef {{ subject: string, head: string, reply: string, body: Uint8Array }} Message */

export class Bare {
  /** @type {(message: Message) => void} */
  onMessage = () => {};
  buffer = new Uint8Array();

  /** Connects as a user. */
  static async connect(/** @type {string} */ address, /** @type {string} */ user, pass = "secret") {
    const bare = new Bare(new WebSocket(address));
    await new Promise((resolve) => bare.socket.onopen = resolve);
    const login = { user, pass, verbose: false, headers: true, no_responders: true };
    bare.write(`CONNECT ${JSON.stringify(login)}`);
    bare.inbox = `_INBOX_${user}.bare`;
    bare.watch = `watch.${user}.bare`;
    bare.write(`SUB ${bare.inbox} 0`);
    return bare;
  }

  constructor(/** @type {WebSocket} */ socket) {
    this.socket = socket;
    this.inbox = this.watch = "";
    socket.binaryType = "arraybuffer";
    socket.onmessage = ({ data }) => this.#read(new Uint8Array(data));
  }

  write(/** @type {string[]} */ ...lines) {
    this.socket.send(encoder.encode(lines.join("\r\n") + "\r\n"));
  }

  /** Publishes, and waits for the answer. */
  ask(/** @type {string} */ subject, /** @type {string} */ body, head = "") {
    const size = encoder.encode(body).length + head.length;
    this.write(
      head
        ? `HPUB ${subject} ${this.inbox} ${head.length} ${size}`
        : `PUB ${subject} ${this.inbox} ${size}`,
      head + body,
    );
    return new Promise((resolve) => this.onMessage = ({ body }) => resolve(decoder.decode(body)));
  }

  #read(/** @type {Uint8Array} */ more) {
    const all = new Uint8Array(this.buffer.length + more.length);
    all.set(this.buffer);
    all.set(more, this.buffer.length);
    let start = 0;
    for (;;) {
      const end = all.indexOf(10, start);
      if (end < 0) break;
      const words = decoder.decode(all.subarray(start, end - 1)).split(" ");
      const isMessage = words[0] === "MSG" || words[0] === "HMSG";
      if (!isMessage) {
        if (words[0] === "PING") this.write("PONG");
        start = end + 1;
        continue;
      }
      const size = Number(words.at(-1)), head = words[0] === "HMSG" ? Number(words.at(-2)) : 0;
      if (all.length < end + 3 + size) break;
      const body = all.subarray(end + 1 + head, end + 1 + size);
      const text = decoder.decode(all.subarray(end + 1, end + 1 + head));
      start = end + 3 + size;
      this.onMessage({ subject: words[1], head: text, reply: words[3], body });
    }
    this.buffer = all.subarray(start);
  }
}
