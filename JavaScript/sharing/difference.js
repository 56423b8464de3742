// @ts-check
// The part in which two texts differ, so that a program reads no more than that.

/**
 * Returns how many letters two texts that differ have in common, at the start and at the end. No
 * surrogate pair is parted.
 * @param {string} one
 * @param {string} other
 */
export function commonEnds(one, other) {
  const most = Math.min(one.length, other.length);
  const isSameStart = (from, to) => one.slice(from, to) === other.slice(from, to);
  let start = largest(most, isSameStart);
  if (isHighSurrogate(one.charCodeAt(start - 1))) start--;
  const tail = (text, from, to) => text.slice(text.length - to, text.length - from);
  const isSameEnd = (from, to) => tail(one, from, to) === tail(other, from, to);
  let end = largest(most - start, isSameEnd);
  if (isLowSurrogate(one.charCodeAt(one.length - end))) end--;
  return [start, end];
}

const isHighSurrogate = (unit) => (unit & 0xfc00) === 0xd800;
const isLowSurrogate = (unit) => (unit & 0xfc00) === 0xdc00;

// Returns the largest count whose parts are all the same. It halves the rest: browsers compare
// slices many times as fast as letters.
function largest(most, isSame) {
  let same = 0;
  while (same < most) {
    // No more at once, so that few letters before a difference are compared again.
    const next = Math.min(same + most + 1 >> 1, same + 60_000);
    if (isSame(same, next)) same = next;
    else most = next - 1;
  }
  return same;
}
