// @ts-check
// A bucket: the stream of a server that has a record for each key, which is read, written, and
// followed by consumers.

import { failure, field } from "./connection.js";
import { recordOf, tokenOf } from "./records.js";

const decoder = new TextDecoder(), nothing = new Uint8Array();

/** Reads, writes and follows the records of a bucket over a connection. */
export const bucketOf = ({ bucket, create = "KVAPI.CREATE" }, connection) => {
  const stream = "KV_" + bucket, root = `$KV.${bucket}.`;
  const followers = new Map();
  let missing; // the failure, while the server has no such stream

  const ask = async (subject, body, head) => {
    const made = await connection.request(subject, body, head);
    if (made.code) throw failure(`No service answers ${subject}.`);
    const { error, ...given } = JSON.parse(decoder.decode(made.body));
    if (!error) return given;
    const { err_code: code, description: what } = error;
    if (code === 10071 || code === 10164) return { least: field(what, "sequence") };
    if (code === 10059) {
      missing = failure(`The server has no stream ${stream}: create it.`, "NotFound");
      connection.refuse(() => true, missing);
      throw missing;
    }
    throw failure(what, /exceed|insuff|limit/.test(what) ? "Quota" : undefined);
  };

  const receive = (follower, { code, head, body, reply }) => {
    follower.end = Date.now() + 3_000;
    const flow = code && (reply ?? field(head, "Stalled"));
    if (flow?.startsWith("$JS.FC.")) connection.publish(flow);
    // $JS.ACK.stream.consumer.deliveries.revision.number.time.pending
    const [revision, number] = code
      ? [0, field(head, "Last-Consumer") ?? follower.last]
      : reply?.split(".").slice(5) ?? [];
    follower.last += code ? 0 : 1;
    if (+number !== follower.last) return follow(follower);
    if (!code) follower.hear(recordOf(follower.key, +revision, body), follower.last === 1);
  };

  // Makes a consumer of a key, which begins with its last record.
  const follow = (follower) => {
    connection.unsubscribe(follower.id);
    const { id, name, subject } = connection.subscribe((message) => receive(follower, message));
    Object.assign(follower, { id, end: Date.now() + 8_000, last: 0 });
    const filter_subject = root + follower.token;
    const config = {
      name,
      deliver_subject: subject,
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
      connection.show(missing = "");
      if (!pending && !follower.last && connection.isSubscribed(id)) {
        follower.hear(recordOf(follower.key, 0, nothing), true);
      }
    }, (error) => {
      if (!/Denied|Quota/.test(error.name)) return connection.show(error.message);
      connection.unsubscribe(id);
      if (/Denied/.test(error.name)) follower.end = Infinity; // until the next connection
      if (!follower.error) follower.fail(error); // once
      follower.error = error;
    });
  };

  return {
    follower: (key) => followers.get(key),

    // Follows a key. `hear` gets records, and whether each is the first of a consumer; `fail` gets
    // the first refusal. That is in `error` until a record comes.
    begin(key, hear, fail) {
      const follower = { key, token: tokenOf(key), hear, fail, loads: 0 };
      followers.set(key, follower);
      if (connection.isReady()) follow(follower);
      return follower;
    },

    followAll: () => followers.forEach(follow),

    // Follows each key again whose consumer has sent no message in time.
    followLate(now) {
      for (const follower of followers.values()) if (now > follower.end) follow(follower);
    },

    // Reads the record of a key; nothing if the server has none that is current.
    async read(key) {
      const subject = `$JS.API.DIRECT.GET.${stream}.${root}${tokenOf(key)}`;
      const { code, head, body } = await connection.request(subject);
      if ((code ?? "404") !== "404") return undefined;
      return recordOf(key, +(field(head, "Nats-Sequence") ?? 0), code ? nothing : body);
    },

    write: (key, record, head) => ask(root + tokenOf(key), JSON.stringify(record), head),

    isMissing: () => !!missing,

    // The failure of a read: that there is no such stream, or no current record.
    failure: () => missing || failure(`The stream ${stream} returns no current value.`),
  };
};
