// @ts-check
// @ts-self-types="./nats.d.ts"

const encoder = new TextEncoder(), decoder = new TextDecoder(), nothing = new Uint8Array();

const tokenOf = (key) =>
  encodeURIComponent(key)
    .replace(/[!~*'()]|^\.|\.$|(?<=\.)\./g, (sign) =>
      "%" + sign.charCodeAt(0).toString(16).toUpperCase())
    .replaceAll("%", "=") || "=";

// Returns nothing for a token that the function above never writes.
const keyOf = (token) => {
  try {
    return token === "=" ? "" : decodeURIComponent(token.replaceAll("=", "%"));
  } catch { /* it is none */ }
};

const isSeen = ([id, step]) => id.sub && Number.isInteger(step) && step > 0;

// Bytes that are no record become a text that does not decode: it is reported, and kept.
const recordOf = (key, revision, body) => {
  const stored = decoder.decode(body) || '{"seen":[],"text":null}';
  try {
    const { seen, text } = JSON.parse(stored);
    if ((text === null || typeof text === "string") && seen.every(isSeen)) {
      return { key, revision, text, seen };
    }
  } catch { /* it is none */ }
  return { key, revision, text: "No record: " + stored, seen: [] };
};

const stepOf = ({ seen }, client) => seen.find(([id]) => id === client)?.[1];

const plain = ({ key, revision, text }) => ({ key, revision, text });

const answer = (records, client, step = null) => ({
  stored: records.map(plain),
  applied: Math.min(...records.map((record) => stepOf(record, client))) || step,
});

const field = (text, name) => RegExp(name + ": (\\S+)").exec(text)?.[1];

const failure = (message, name = "Unavailable") => ({ name: name + "Error", message });

export const nats = (options, window = globalThis) => {
  const { servers, bucket, credentials, inbox, watch, create = "KVAPI.CREATE" } = options;
  const stream = "KV_" + bucket, root = `$KV.${bucket}.`;
  const mark = Math.random().toString(36).slice(2);
  const known = new Map(), requests = new Map(), followers = new Map(), subscriptions = new Map();
  let status = { isConnected: false, message: "Not connected yet." }, onStatus, onChange, onFailure;
  let socket, login, info, answers, changes, isReady, isAway, isClosed, timer, heard, missing;
  let buffer = nothing, count = 0, attempt = -1, pause = 250;

  const sleep = (time) => new Promise((resolve) => window.setTimeout(resolve, time));
  const tell = (listener, what) => listener && window.queueMicrotask(() => listener(what));

  const show = (message) => {
    const isConnected = !!isReady;
    if (status.message === message && status.isConnected === isConnected) return;
    tell(onStatus, status = { isConnected, message });
  };

  const open = async (mine) => {
    const given = { ...await credentials?.() }, { user, token } = given;
    if (mine !== attempt || isAway) return;
    answers = `${inbox ?? "_INBOX" + (user ? "_" + user : "")}.${mark}.`;
    changes = `${watch ?? "watch" + (user ? "." + user : "")}.${mark}.`;
    login = {
      ...given,
      auth_token: token,
      verbose: false,
      pedantic: false, // the name of a consumer of a prefix ends with a wildcard
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

  const refuse = (fits, error) => {
    for (const made of requests.values()) if (fits(made)) made.reject(error);
  };

  const connect = () => open(++attempt).catch((error) => drop("" + error?.message));

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
      const message = { code, head, body: rest.subarray(start, size), reply: words[0] };
      if (id === "0") requests.get(+subject.slice(answers.length))?.resolve(message);
      else take(subscriptions.get(+id), message, subject);
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
      followers.forEach(follow); // first, so that a load is told of a refusal
      requests.forEach((made) => made.isSent || send(made));
      tell(onChange, []); // pending changes are committed
    },
    "-ERR"(text) {
      const message = text.slice(1, -1), subject = / to "(.+)"/.exec(message)?.[1];
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
    for (const follower of followers.values()) if (now > follower.end) follow(follower);
  };

  const request = (subject, body = "", head = "") => {
    const number = ++count, end = Date.now() + 3_000;
    return new Promise((resolve, reject) => {
      const made = { number, subject, body, head, end, resolve, reject };
      requests.set(number, made);
      if (isAway) reject(failure(status.message));
      if (isReady) send(made);
    }).finally(() => requests.delete(number));
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

  const take = (follower, { code, head, body, reply }, subject) => {
    if (!follower) return;
    follower.end = Date.now() + 3_000;
    const flow = code && (reply ?? field(head, "Stalled"));
    if (flow?.startsWith("$JS.FC.")) write(`PUB ${flow} 0`, "");
    // $JS.ACK.stream.consumer.deliveries.revision.number.time.pending
    const [revision, number, , pending] = code
      ? [0, field(head, "Last-Consumer") ?? follower.last]
      : reply?.split(".").slice(5) ?? [];
    follower.last += code ? 0 : 1;
    if (+number !== follower.last) return follow(follower);
    const key = keyOf(subject.slice(root.length));
    const records = key == null ? [] : [recordOf(key, +revision, body)];
    if (!code) follower.hear(records, +pending);
  };

  const ask = async (subject, ...rest) => {
    const made = await request(subject, ...rest);
    pause = 250;
    if (made.code) throw failure(`No service answers ${subject}.`);
    const { error, ...given } = JSON.parse(decoder.decode(made.body));
    if (!error) return given;
    const { err_code: code, description: what } = error;
    if (code === 10071 || code === 10164) return { least: field(what, "sequence") };
    if (code === 10059) {
      missing = failure(`The server has no stream ${stream}: create it.`, "NotFound");
      refuse(() => true, missing);
      throw missing;
    }
    throw failure(what, /exceed|insuff|limit/.test(what) ? "Quota" : undefined);
  };

  const unsubscribe = ({ id }) => subscriptions.delete(id) && write(`UNSUB ${id}`);

  const end = (follower) => {
    followers.delete(follower.name);
    unsubscribe(follower);
  };

  // Begins with the last record of each key.
  const follow = (follower) => {
    const { filter, hear, fail } = follower, next = ++count;
    unsubscribe(follower);
    subscriptions.set(next, follower);
    Object.assign(follower, { id: next, end: Date.now() + 8_000, last: 0, first: [] });
    const name = mark + next, deliver_subject = changes + next, filter_subject = root + filter;
    write(`SUB ${deliver_subject} ${next}`);
    const config = {
      name,
      deliver_subject,
      filter_subject,
      deliver_policy: "last_per_subject",
      ack_policy: "none",
      max_deliver: 1,
      mem_storage: true,
      num_replicas: 1,
      flow_control: true,
      idle_heartbeat: 1e9,
      inactive_threshold: 2e10,
    };
    const body = JSON.stringify({ stream_name: stream, config });
    ask(`${create}.${name}.${filter_subject}`, body).then(({ num_pending: pending }) => {
      show(missing = "");
      if (!pending && !follower.last && subscriptions.has(next)) hear([], 0);
    }, (error) => {
      if (!/Denied|Quota/.test(error.name)) return show(error.message);
      unsubscribe(follower);
      if (/Denied/.test(error.name)) follower.end = Infinity; // until the next connection
      if (!follower.error) fail(error); // once
      follower.error = error;
    });
  };

  const begin = (name, filter, hear, fail) => {
    const follower = { name, filter, hear, fail, loads: 0 };
    followers.set(name, follower);
    if (isReady) follow(follower);
    return follower;
  };

  const remember = (record) => {
    const last = known.get(record.key);
    if (record.revision < last?.revision) return last;
    known.set(record.key, record);
    return record;
  };

  // A known record where it is new enough, or one that is read. A replica may be behind.
  const get = async (key, enough, least) => {
    for (let tries = 40; tries--;) {
      if (known.get(key)?.revision >= enough) return known.get(key);
      const subject = `$JS.API.DIRECT.GET.${stream}.${root}${tokenOf(key)}`;
      const { code, head, body } = await request(subject);
      const revision = +(field(head, "Nats-Sequence") ?? 0);
      const isOld = revision < least || revision < known.get(key)?.revision;
      if ((code ?? "404") === "404" && !isOld) {
        return remember(recordOf(key, revision, code ? nothing : body));
      }
      await sleep(50);
      if (missing) break;
    }
    throw missing || failure(`The stream ${stream} returns no current value.`);
  };

  const put = async (key, text, seen, head) => {
    const { seq, least } = await ask(root + tokenOf(key), JSON.stringify({ seen, text }), head);
    return seq ? remember({ key, revision: seq, text, seen }) : { least };
  };

  const load = async (key) => {
    const token = tokenOf(key), last = followers.get(token);
    const follower = last && !last.error ? last : begin(
      token,
      token,
      ([record = recordOf(key, 0, nothing)]) => {
        if (record.revision <= known.get(key)?.revision && !follower.error) return;
        follower.error = null;
        record = remember(record);
        if (!follower.loads) tell(onChange, [plain(record)]);
      },
      (error) => follower.loads || onFailure?.(error, key),
    );
    follower.loads++;
    try {
      const record = await get(key);
      if (follower.error) throw follower.error;
      return record;
    } finally {
      follower.loads--;
    }
  };

  const store = async ({ key, expected }, { client, after, through, entries }, rebase) => {
    for (let least = expected, losses = 0;; losses++) {
      const record = await get(key, least, losses && least), { revision, seen } = record;
      const step = stepOf(record, client), applied = step ?? after;
      if (step >= through) return [record];
      const fits = applied === after && expected === revision;
      const made = fits ? entries : rebase([plain(record)], applied);
      const own = [client, through], copies = [];
      for (const { key, expected, text } of made) {
        if (expected === null) copies.push(await put(key, text, [own]));
      }
      const { text } = made.find((each) => each.key === key) ?? record;
      const stored = await put(
        key,
        text,
        [own, ...seen.filter(([id]) => id !== client).slice(0, 63)], // of 64 clients
        `NATS/1.0\r\nNats-Expected-Last-Subject-Sequence: ${revision}\r\n\r\n`,
      );
      if (stored.key) return [stored, ...copies];
      least = +(stored.least ?? revision + 1);
      if (least < revision) known.delete(key); // the bucket was made anew
      if (losses > 3) await sleep(Math.random() * 20);
    }
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
    load: async (keys, client) => answer(await Promise.all(keys.map(load)), client),

    async commit(commit, rebase) {
      const { client, through, entries } = commit, records = [];
      const values = entries.filter(({ expected }) => expected !== null);
      for (const entry of values) records.push(...await store(entry, commit, rebase));
      // Copies alone; else those of a value are stored before it.
      for (const { key, text } of values.length ? [] : entries) {
        records.push(await put(key, text, [[client, through]]));
      }
      return answer(records, client, through);
    },

    watch(...listeners) {
      [onChange, onFailure] = listeners;
      listeners[2]?.addEventListener("abort", () => {
        if (onChange === listeners[0]) onChange = onFailure = undefined;
      });
    },

    list: (prefix, onListing, signal, onFailure) =>
      new Promise((resolve, reject) => {
        let late; // once all is told
        signal?.throwIfAborted();
        const filter = tokenOf(prefix + "x").slice(0, -1) + ">";
        if (!/(^|\.)>$/.test(filter)) {
          throw failure(`"${prefix}" does not end with a dot.`, "Prefix");
        }
        const follower = begin({}, filter, (records, pending) => {
          follower.error = null;
          const { first } = follower, all = first ?? records;
          first?.push(...records);
          if (first && pending) return;
          follower.first = null;
          window.queueMicrotask(() => signal?.aborted || onListing(all.map(plain), !!first));
          resolve(undefined);
          late = onFailure;
        }, (error) => {
          reject(error);
          late?.(error);
        });
        signal?.addEventListener("abort", () => {
          end(follower);
          reject(signal.reason);
        });
      }),

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
