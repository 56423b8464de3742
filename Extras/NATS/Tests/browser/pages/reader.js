// @ts-check
// The page of KeyProgram with the engine of a read-only user, over the server whose address is in
// `?nats=`.

// @ts-types="../../../JavaScript/nats.d.ts"
import { nats } from "../../../JavaScript/nats.js";

const servers = [new URLSearchParams(location.search).get("nats") ?? ""];
const credentials = () => ({ user: "reader", pass: "reader" });
const world = nats({ servers, bucket: "app", credentials }, window);
Object.assign(globalThis, { engines: { world } });
await import("../../../../../Tests/browser/pages/keys.js");
