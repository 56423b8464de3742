// @ts-check
// The page of KeyProgram with the engine of a user, over the server whose address is in `?nats=`: a
// read-only one, or the one in `?user=`.

// @ts-types="../../../JavaScript/nats.d.ts"
import { nats } from "../../../JavaScript/nats.js";

const search = new URLSearchParams(location.search);
const servers = [search.get("nats") ?? ""];
const user = search.get("user") ?? "reader";
const credentials = () => ({ user, pass: user });
const world = nats({ servers, bucket: "app", credentials }, window);
Object.assign(globalThis, { engines: { world } });
await import("../../../../../Tests/browser/pages/keys.js");
