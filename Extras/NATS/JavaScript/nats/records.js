// @ts-check
// The records of a bucket: the token of a key in a subject, and the text and steps in a message.

const decoder = new TextDecoder();

/** Returns the token of a key in a subject. */
export const tokenOf = (key) =>
  encodeURIComponent(key)
    .replace(/[!~*'()]|^\.|\.$|(?<=\.)\./g, (sign) =>
      "%" + sign.charCodeAt(0).toString(16).toUpperCase())
    .replaceAll("%", "=") || "=";

// A program cannot have half a surrogate pair; browsers before 2023 have no isWellFormed.
const isText = (value) =>
  typeof value === "string" && (value.isWellFormed?.() ?? !/\p{Surrogate}/u.test(value));

const isSeen = ([id, step]) => isText(id) && Number.isInteger(step) && step > 0;

/**
 * Returns the record in the body of a message. Bytes that are no record become a text that does not
 * decode: it is reported, and kept.
 */
export const recordOf = (key, revision, body) => {
  const stored = decoder.decode(body) || '{"seen":[],"text":null}';
  try {
    const { seen, text } = JSON.parse(stored);
    if ((text === null || isText(text)) && seen.every(isSeen)) {
      return { key, revision, text, seen };
    }
  } catch { /* it is none */ }
  return { key, revision, text: "No record: " + stored, seen: [] };
};

/** Returns the number of a client's last step in a record, if there is one. */
export const stepOf = ({ seen }, client) => seen.find(([id]) => id === client)?.[1];

/** Returns a record without its steps, as the library takes it. */
export const plain = ({ key, revision, text }) => ({ key, revision, text });

// A copy is stored before its value, so that its steps are not yet those of the value.
const isCopy = ({ key }, records) => records.some((value) => key === value.key + ".replaced");

/** Returns the answer to a load or a commit of a client. */
export const answer = (records, client, step = null) => {
  const values = records.filter((record) => !isCopy(record, records));
  const last = Math.min(...values.map((value) => stepOf(value, client)));
  return { stored: records.map(plain), applied: Number.isFinite(last) ? last : step };
};
