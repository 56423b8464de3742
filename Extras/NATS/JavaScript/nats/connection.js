// @ts-check
// A connection to one of the servers of a cluster, by NATS' protocol of lines over a WebSocket.

const encoder = new TextEncoder(), decoder = new TextDecoder(), nothing = new Uint8Array();

/** Returns a field of the head of a message, or a number that an error names. */
export const field = (text, name) => RegExp(name + ": (\\S+)").exec(text)?.[1];

/** Returns a failure of a kind, as the library takes it: the kind and "Error" are its name. */
export const failure = (message, kind = "Unavailable") => ({ name: kind + "Error", message });

/**
 * Connects to the servers, one after the other, until one answers, and again when the connection is
 * lost.
 * @param {import("../nats.d.ts").NATSOptions} options
 * @param {any} window
 * @param {{ ready: () => void, tick: (now: number) => void }} on `ready` is called whenever there
 *   is a connection, and `tick` each second while there is one
 */
export const connectTo = ({ servers, credentials, inbox, watch }, window, on) => {
  const mark = Math.random().toString(36).slice(2);
  const requests = new Map(), subscriptions = new Map();
  let status = { isConnected: false, message: "Not connected yet." }, onStatus;
  let socket, login, info, answers, changes, isReady, isAway, isClosed, timer, heard;
  let buffer = nothing, count = 0, attempt = -1, pause = 250;

  const show = (message) => {
    const isConnected = !!isReady;
    if (status.message === message && status.isConnected === isConnected) return;
    const listener = onStatus, shown = status = { isConnected, message };
    if (listener) window.queueMicrotask(() => listener(shown));
  };

  const open = async (mine) => {
    /** @type {Record<string, string>} */
    const given = { ...await credentials?.() };
    const { user, token } = given;
    if (mine !== attempt || isAway) return;
    answers = `${inbox ?? "_INBOX" + (user ? "_" + user : "")}.${mark}.`;
    changes = `${watch ?? "watch" + (user ? "." + user : "")}.${mark}.`;
    login = {
      ...given,
      auth_token: token,
      verbose: false,
      pedantic: false,
      headers: true,
      no_responders: true,
    };
    socket = new window.WebSocket(servers[mine % servers.length]);
    heard = Date.now();
    socket.binaryType = "arraybuffer";
    socket.onclose = () => drop("The connection is lost.");
    socket.onmessage = ({ data }) => {
      heard = Date.now();
      const all = new Uint8Array(buffer.length + data.byteLength);
      all.set(buffer);
      all.set(new Uint8Array(data), buffer.length);
      buffer = all;
      while (receive());
    };
  };

  const connect = () => open(++attempt).catch((error) => drop("" + error?.message));

  // Rejects the requests that fit.
  const refuse = (fits, error) => {
    for (const made of requests.values()) if (fits(made)) made.reject(error);
  };

  const drop = (message) => {
    if (socket) {
      socket.onmessage = socket.onclose = null;
      socket.close();
    }
    isReady = socket = null;
    buffer = nothing;
    refuse((made) => made.isSent || isAway, failure(message));
    window.clearTimeout(timer);
    if (!isAway) timer = window.setTimeout(connect, pause * (1 + Math.random()) / 2);
    pause = Math.min(pause * 2, 10_000);
    show(message);
  };

  const write = (...lines) => socket?.send(encoder.encode(lines.join("\r\n") + "\r\n"));

  // Takes one line, and the message that it begins, from the buffer.
  const receive = () => {
    const end = buffer.indexOf(10);
    if (end < 0) return false;
    const line = decoder.decode(buffer.subarray(0, end - 1)), rest = buffer.subarray(end + 1);
    const [verb, subject, id, ...words] = line.split(/ +/), isMessage = /MSG/.test(verb);
    const size = isMessage ? Number(words.pop()) : 0,
      start = verb === "HMSG" ? Number(words.pop()) : 0;
    if (rest.length < size + 2 && isMessage) return false;
    buffer = rest.subarray(isMessage ? size + 2 : 0);
    if (isMessage) {
      const head = decoder.decode(rest.subarray(0, start)), code = /^\S+ (\d+)/.exec(head)?.[1];
      const message = { code, head, body: rest.subarray(start, size), reply: words[0], subject };
      if (id === "0") {
        pause = 250; // the server works: the next loss begins with a short pause
        requests.get(+subject.slice(answers.length))?.resolve(message);
      } else subscriptions.get(+id)?.(message);
    } else handlers[verb]?.(line.slice(5));
    return true;
  };

  const handlers = {
    __proto__: null,
    PING: () => write("PONG"),
    INFO(text) {
      info = JSON.parse(text);
      if (info.cluster && /^2\.(\d|10\.(1?\d|2[0-6]))\b/.test(info.version)) {
        drop(`A cluster needs nats-server 2.10.27 or later; this is ${info.version}.`);
      } else if (login) write("CONNECT " + JSON.stringify(login), "PING");
      login = null;
    },
    PONG() {
      if (isReady) return;
      isReady = true;
      write(`SUB ${answers}* 0`);
      show("");
      on.ready(); // first, so that a load is told of a refusal
      requests.forEach((made) => made.isSent || send(made));
    },
    "-ERR"(text) {
      const isUser = text.startsWith("'Authorization");
      const message = (isUser ? "The server refuses the user: " : "") + text.slice(1, -1);
      const subject = / to "(.+)"/.exec(message)?.[1];
      if (!subject || subject.startsWith(answers)) return drop(message);
      const asked = `"deliver_subject":"${subject}"`; // or to hear of changes
      const fits = (made) => made.subject === subject || made.body.includes(asked);
      refuse(fits, failure(message, "Denied"));
    },
  };

  const check = () => {
    const now = Date.now(), silence = now - heard;
    const silent = "The server does not answer.";
    refuse(({ end }) => now > end, failure(status.message || silent));
    if (socket && silence > (isReady ? 10_000 : 5_000)) return drop(silent);
    if (!isReady) return;
    if (silence > 5_000) write("PING");
    on.tick(now);
  };

  const send = (made) => {
    const { number, subject, body, head } = made;
    const size = head.length + encoder.encode(body).length;
    if (size > info.max_payload || subject.length > 3_000) {
      return made.reject(failure(`The key, or the text of ${size} bytes, is too long.`, "Quota"));
    }
    const [verb, start] = head ? ["HPUB", head.length + " "] : ["PUB", ""];
    write(`${verb} ${subject} ${answers}${number} ${start}${size}`, head + body);
    made.isSent = true;
    made.end = Date.now() + 5_000;
  };

  const leave = () => {
    isAway = true; // an open connection keeps a page out of the back/forward cache
    drop("The connection is lost.");
  };

  const ticker = window.setInterval(check, 1_000);
  window.addEventListener?.("pagehide", leave);
  window.addEventListener?.("pageshow", ({ persisted }) => {
    if (!persisted || isClosed) return;
    isAway = false;
    connect();
  });
  connect();

  return {
    isReady: () => !!isReady,
    show,
    refuse,

    // Sends a text to a subject when there is a connection. Returns a promise of the answer.
    request(subject, body = "", head = "") {
      const number = ++count, end = Date.now() + 3_000;
      return new Promise((resolve, reject) => {
        const made = { number, subject, body, head, end, resolve, reject };
        requests.set(number, made);
        if (isAway) reject(failure(status.message));
        if (isReady) send(made);
      }).finally(() => requests.delete(number));
    },

    // Sends an empty message.
    publish: (subject) => write(`PUB ${subject} 0`, ""),

    // Subscribes to a new subject, on which the server may send changes.
    subscribe(receive) {
      const id = ++count, subject = changes + id;
      subscriptions.set(id, receive);
      write(`SUB ${subject} ${id}`);
      return { id, subject, name: mark + id };
    },

    unsubscribe: (id) => subscriptions.delete(id) && write(`UNSUB ${id}`),

    isSubscribed: (id) => subscriptions.has(id),

    status(listener, signal) {
      (onStatus = listener)(status);
      signal?.addEventListener("abort", () => {
        if (onStatus === listener) onStatus = undefined;
      });
    },

    close() {
      isClosed = true;
      window.clearInterval(ticker);
      leave();
    },
  };
};
