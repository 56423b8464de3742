/**
 * A format of `data-format="NAME:ARGUMENT"`.
 * @param value the text of the value, which is not empty
 * @param argument the text behind the first colon, undefined without one
 * @param languages the visitor's languages that are also the page's, then that of the page
 */
export type Format = (
  value: string,
  argument: string | undefined,
  languages: readonly string[],
) => string;

/**
 * Shows values in the elements `data` and `time` as the visitor reads them, by the browser's
 * `Intl`:
 *
 * ```html
 * <data data-bind="value:total" data-format="currency:EUR"></data>
 * <time data-bind="datetime:day" data-format="date:medium"></time>
 * ```
 * ```js
 * import { format } from "./formats.js";
 *
 * format(document, { stars: (value) => "★".repeat(Number(value)) });
 * ```
 * | format | value | argument |
 * |---|---|---|
 * | `number` | a number | the least number of decimals |
 * | `percent` | a number: 0.5 is 50 % | |
 * | `currency` | a number | the currency, as `EUR` |
 * | `date`, `time`, `datetime` | a `Timestamp`, or a date, with or without a time | a style |
 * | `relative` | the same; "3 days ago", renewed each minute | |
 *
 * The styles are `full`, `long`, `medium` (if none is given) and `short`. A date without a time, as
 * `2026-11-29`, is a day of the visitor's calendar. A value that its format does not know is shown
 * as it is, and an error in the console names the element. An empty value is an empty text.
 * @param root the document, or an element of which all parts are formatted, also later ones
 * @param own formats of your own, by name
 * @returns a function that ends it
 */
export function format(root: Document | Element, own?: Record<string, Format>): () => void;
