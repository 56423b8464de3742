// @ts-check
// Texts and numbers in the memory of a program.

// No UTF-8 begins with this byte. The JSON of a text with half a surrogate pair, which UTF-8 cannot
// have, follows it.
const jsonMark = 255;

const encoder = new TextEncoder();
const exact = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Replaces bytes that are not UTF-8, for texts that people read. */
export const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Bytes of a program's memory, to be used at once: a view is empty once the memory has grown.
 * @typedef {(pointer: number, count: number) => Uint8Array<ArrayBuffer>} Bytes
 */

/** @returns {Bytes} the bytes of an instance, whose exports may come later */
export const bytesOf = (instance) => (pointer, count) =>
  new Uint8Array(instance.exports.memory.buffer, pointer >>> 0, count);

/**
 * Returns the functions by which texts cross; see `Texts` of sharing.d.ts.
 * @param {Bytes} bytes
 */
export const textsOf = (bytes) => ({
  bytes,

  text(pointer, count, decoder = exact) {
    if (count < 0) return null;
    /** @type {any} */
    const encoded = bytes(pointer, count);
    if (encoded[0] === jsonMark && decoder === exact) {
      return JSON.parse(exact.decode(encoded.subarray(1)));
    }
    // A call of a decoder costs more than a short ASCII text: up to 12 letters are fastest one by
    // one, up to 200 in one call of fromCharCode.
    let text = "", at = 0;
    while (count < 13 && encoded[at] < 128) text += String.fromCharCode(encoded[at++]);
    if (at === count) return text;
    while (count < 200 && encoded[at] < 128) at++;
    return at < count ? decoder.decode(encoded) : String.fromCharCode.apply(null, encoded);
  },

  give(text, buffer, capacity) {
    if (text === null) return -1;
    if (text.length > capacity) return text.length;
    const isBroken = text.isWellFormed?.() === false;
    if (isBroken) text = " " + JSON.stringify(text);
    const encoded = bytes(buffer, capacity);
    const { read, written } = encoder.encodeInto(text, encoded);
    if (isBroken) encoded[0] = jsonMark;
    return written + 3 * (text.length - read); // room for the rest
  },
});

/** Writes an array of numbers to the memory. */
export const write = (/** @type {Bytes} */ bytes, /** @type {number} */ pointer, { buffer }) =>
  bytes(pointer, buffer.byteLength).set(new Uint8Array(buffer));

/**
 * Returns a function that puts texts into the program's inbox, one behind the other. It returns the
 * byte count of each: -1 for null.
 * @param {{ exports: any }} instance
 * @param {Bytes} bytes
 */
export const inboxOf = (instance, bytes) => (...texts) => {
  const encoded = encoder.encode(texts.join(""));
  bytes(instance.exports.sharing_inbox(encoded.length), encoded.length).set(encoded);
  return texts.map((text) => text == null ? -1 : encoder.encode(text).length);
};
