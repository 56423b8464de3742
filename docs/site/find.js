// @ts-check
// Finds pages of the documentation by words: a function over the index of Tools/search_index.py.

/**
 * A part of a page below a heading. The first one of a page has no anchor and no heading.
 * @typedef {[anchor: string, heading: string, text: string]} Section
 */

/**
 * A page of the site. `place` names what a symbol belongs to: its module, and its type.
 * @typedef {{
 *   path: string,
 *   title: string,
 *   kind: string,
 *   place: string,
 *   summary: string,
 *   sections: Section[],
 * }} Page
 */

/** @typedef {{ page: Page, section: Section | undefined, score: number }} Hit */

// The places of a word in a page, from the best to the worst.
const SCORES = {
  name: 100,
  nameStart: 60,
  titleWord: 40,
  title: 20,
  heading: 12,
  summary: 8,
  text: 4,
};

/**
 * Returns the words of a query in lower case. A dot separates words, as in `Shared.update`, and
 * signs around a word do not count, as in `@Shared` and `$todos`.
 * @param {string} query
 */
export function wordsOf(query) {
  const words = query.toLowerCase().split(/[\s.]+/);
  return words.map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""))
    .filter((word) => word !== "");
}

/**
 * Returns the pages that have all words of a query, the best one first.
 * @param {Page[]} pages
 * @param {string} query
 * @returns {Hit[]}
 */
export function find(pages, query) {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const hits = [];
  for (const page of pages) {
    const scores = words.map((word) => score(page, word));
    if (scores.includes(0)) continue;
    const total = scores.reduce((sum, one) => sum + one);
    hits.push({ page, section: bestSection(page, words), score: total });
  }
  return hits.sort((one, other) =>
    other.score - one.score || one.page.title.length - other.page.title.length
  );
}

/**
 * Returns how well a page fits a word; 0 if the page does not have it.
 * @param {Page} page
 * @param {string} word
 */
function score({ title, place, summary, sections }, word) {
  const lower = title.toLowerCase();
  const name = lower.split("(")[0];
  if (name === word) return SCORES.name;
  if (name.startsWith(word)) return SCORES.nameStart;
  if (startsAWord(lower, word)) return SCORES.titleWord;
  if (lower.includes(word)) return SCORES.title;
  if (has(place, word) || sections.some(([, heading]) => has(heading, word))) return SCORES.heading;
  if (has(summary, word)) return SCORES.summary;
  const times = sections.map(([, , text]) => text.toLowerCase().split(word).length - 1);
  const total = times.reduce((sum, one) => sum + one, 0);
  return total === 0 ? 0 : SCORES.text + Math.min(total, 10) / 10;
}

/**
 * Returns the section of a page with most of the words; undefined if its beginning has as many.
 * @param {Page} page
 * @param {string[]} words
 */
function bestSection({ title, summary, sections }, words) {
  let best, most = words.filter((word) => has(title, word) || has(summary, word)).length;
  for (const section of sections) {
    const [, heading, text] = section;
    const inHeading = words.filter((word) => has(heading, word)).length;
    const count = words.filter((word) => has(heading, word) || has(text, word)).length;
    if (count + inHeading > most) [best, most] = [section, count + inHeading];
  }
  return best;
}

/** @param {string} text @param {string} word */
function has(text, word) {
  return text.toLowerCase().includes(word);
}

/** @param {string} text @param {string} word */
function startsAWord(text, word) {
  const words = text.split(/[^\p{L}\p{N}]+/u);
  return words.some((one) => one.startsWith(word));
}

/**
 * Returns a part of a text around the first of the words, of about `length` characters.
 * @param {string} text
 * @param {string[]} words
 */
export function excerpt(text, words, length = 120) {
  const lower = text.toLowerCase();
  const found = words.map((word) => lower.indexOf(word)).filter((index) => index >= 0);
  const first = Math.min(...found, text.length);
  if (found.length === 0 || first < length / 2) return cut(text, 0, length);
  return cut(text, text.lastIndexOf(" ", first - length / 3) + 1, length);
}

/** @param {string} text @param {number} start @param {number} length */
function cut(text, start, length) {
  const isWhole = text.length <= start + length;
  const end = isWhole ? text.length : text.lastIndexOf(" ", start + length);
  const part = text.slice(start, end > start ? end : start + length);
  return `${start > 0 ? "… " : ""}${part}${isWhole ? "" : " …"}`;
}

/**
 * Returns the pieces of a text: at odd positions, those which begin like one of the words.
 * @param {string} text
 * @param {string[]} words
 */
export function marked(text, words) {
  const longestFirst = [...words].sort((one, other) => other.length - one.length);
  const escaped = longestFirst.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return words.length === 0 ? [text] : text.split(new RegExp(`(${escaped.join("|")})`, "iu"));
}
