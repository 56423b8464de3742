// @ts-check
// The shortest engine that keeps the contract: a store in memory with connections for programs.

/** A store; `connect` returns an engine over it. */
export class MemoryStore {
  /** @type {Map<string, { revision: number, text: string | null }>} */
  values = new Map();
  /** @type {Map<string, number>} The last step of each client. */
  clients = new Map();
  /** @type {((stored: any) => void)[]} */
  watchers = [];

  /** Maps a key to its name in here; for mistakes. */
  name = (/** @type {string} */ key) => key;

  find = (/** @type {string} */ key) => {
    const { revision = 0, text = null } = this.values.get(this.name(key)) ?? {};
    return { key, revision, text };
  };

  connect = () => ({
    load: (/** @type {string[]} */ keys, /** @type {string} */ client) =>
      Promise.resolve({
        stored: keys.map(this.find),
        applied: this.clients.get(client) ?? null,
      }),

    // Exceptions in here reject the promise.
    commit: (/** @type {any} */ commit, /** @type {any} */ rebase) =>
      new Promise((resolve) => resolve(this.#commit(commit, rebase))),

    watch: (/** @type {any} */ onChange) => void this.watchers.push(onChange),
  });

  #commit(/** @type {any} */ { client, after, through, entries }, /** @type {any} */ rebase) {
    const before = entries.map((/** @type {any} */ { key }) => this.find(key));
    const applied = this.clients.get(client) ?? after;
    if (applied >= through) return { stored: before, applied };
    const fits = (/** @type {any} */ { expected }, /** @type {number} */ at) =>
      expected === null || expected === before[at].revision;
    if (applied !== after || !entries.every(fits)) {
      entries = rebase(before, applied);
      return this.#commit({ client, after: applied, through, entries }, rebase);
    }
    const stored = entries.map((/** @type {any} */ { key, text }) => {
      const revision = this.find(key).revision + 1;
      this.values.set(this.name(key), { revision, text });
      return this.find(key);
    });
    this.clients.set(client, through);
    for (const tell of this.watchers) tell(stored);
    return { stored, applied: through };
  }
}
