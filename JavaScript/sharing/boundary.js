// @ts-check
// The numbers of Sources/CHost/include/CHost.h, and imports that never throw.

/** The version of the contract between page and program. */
export const abiVersion = 2;

/** The area of the address, whose only item is the text behind `#`. */
export const addressArea = 2;

/** The result of a call that failed for no special reason. */
export const failed = -4;

const denied = -2, quotaExceeded = -3, busy = -10;

/**
 * Returns the result of an import of "sharing" that has thrown. Browsers have several names for a
 * full storage: QuotaExceededError, and NS_ERROR_DOM_QUOTA_REACHED in Firefox.
 */
export function codeOf({ name }) {
  if (name === "SecurityError") return denied;
  if (/quota/i.test(name)) return quotaExceeded;
  return name === "BusyError" ? busy : failed;
}

/**
 * Returns the result of a call, or the result of `onThrow` for its exception.
 * @type {(call: () => any, onThrow: (error: any) => any) => any}
 */
export const attempt = (call, onThrow) => {
  try {
    return call();
  } catch (error) {
    return onThrow(error);
  }
};

/**
 * Returns an import module that never throws.
 * @param {object} calls the functions by their names
 * @param {(error: any) => number} code returns the result of a call that has thrown
 * @param {((...args: any[]) => number) | null} missing is called in place of a function that
 *   `calls` lacks; null if such a function is not to be found
 * @param {(name: string) => void} [check] is called before each function
 */
export const guarded = (calls, code, missing = code, check) =>
  // A Proxy may not answer anything else for a property of a frozen target: this one is a copy.
  new Proxy({ ...calls }, {
    get(_, /** @type {string} */ name) {
      const call = calls[name] ?? missing;
      return call?.call && ((...args) => {
        check?.(name);
        try {
          return +(call.apply(calls, args) ?? 0);
        } catch (error) {
          // `code` throws for an exception whose name cannot be read.
          return attempt(() => code(error), () => failed);
        }
      });
    },
  });
