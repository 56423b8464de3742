// @ts-check
// Numbers, money, dates and relative times as people read them; formats.d.ts documents it.

const minute = 60_000;

/** @type {[Intl.RelativeTimeFormatUnit, number][]} the units of relative times, in milliseconds */
const units = [
  ["year", 365 * 24 * 60 * minute],
  ["month", 30 * 24 * 60 * minute],
  ["week", 7 * 24 * 60 * minute],
  ["day", 24 * 60 * minute],
  ["hour", 60 * minute],
  ["minute", minute],
];

// A date without a time is one of the visitor's calendar, and not a moment in UTC.
const dateOf = (text) => {
  if (/^-?\d+$/.test(text)) return new Date(+text);
  return new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text);
};

const numbers = (options) => (text, argument, languages) => {
  if (Number.isNaN(+text)) throw RangeError("It is no number.");
  return new Intl.NumberFormat(languages, options(argument)).format(text);
};

const dates = (options) => (text, argument = "medium", languages) =>
  new Intl.DateTimeFormat(languages, options(argument)).format(dateOf(text));

/** @type {Record<string, import("./formats.d.ts").Format>} */
const formats = {
  // @ts-ignore: no format has a name that every object has
  __proto__: null,
  number: numbers((digits) => digits ? { minimumFractionDigits: +digits } : {}),
  percent: numbers(() => ({ style: "percent", maximumFractionDigits: 1 })),
  currency: numbers((currency) => ({ style: "currency", currency })),
  date: dates((dateStyle) => ({ dateStyle })),
  time: dates((timeStyle) => ({ timeStyle })),
  datetime: dates((style) => ({ dateStyle: style, timeStyle: style })),
  relative(text, _, languages) {
    const difference = dateOf(text).getTime() - Date.now();
    const isWithin = ([, length]) => Math.abs(difference) >= length;
    const [unit, length] = units.find(isWithin) ?? ["minute", minute];
    const format = new Intl.RelativeTimeFormat(languages, { numeric: "auto" });
    return format.format(Math.trunc(difference / length), unit);
  },
};

// The visitor's languages, as far as the page is in one of them; else the page's.
function languagesOf(element) {
  const page = element.closest("[lang]")?.lang;
  const { languages } = element.ownerDocument.defaultView.navigator;
  if (!page) return languages;
  const isOfPage = (language) => language.split("-")[0] === page.split("-")[0];
  return [...languages.filter(isOfPage), page];
}

const valueOf = (element) => element.getAttribute("value") ?? element.getAttribute("datetime");

/** @type {import("./formats.d.ts").format} */
export const format = (/** @type {any} */ root, own) => {
  const all = { __proto__: null, ...formats, ...own };
  const window = (root.ownerDocument ?? root).defaultView;

  const show = (element) => {
    const [, name, argument] = element.dataset.format?.match(/^([^:]+):?(.+)?$/s) ?? [];
    if (!name) return;
    const value = valueOf(element);
    let text = "";
    try {
      if (value) text = all[name](value, argument, languagesOf(element));
    } catch (error) {
      console.error(`"${value}" cannot be shown as "${element.dataset.format}":`, error, element);
      text = value;
    }
    if (element.textContent !== text) element.textContent = text;
  };

  const formatted = (part) => [
    ...(part.matches?.("[data-format]") ? [part] : []),
    ...(part.querySelectorAll?.("[data-format]") ?? []),
  ];

  const changes = new window.MutationObserver((records) => {
    const changed = records.flatMap(({ type, target, addedNodes }) =>
      type === "childList" ? [...addedNodes].flatMap(formatted) : [target]
    );
    new Set(changed).forEach(show);
  });
  formatted(root).forEach(show);
  changes.observe(root, {
    attributeFilter: ["value", "datetime", "data-format"],
    childList: true,
    subtree: true,
  });
  const clock = window.setInterval(
    () => root.querySelectorAll("[data-format=relative]").forEach(show),
    minute,
  );
  return () => {
    changes.disconnect();
    window.clearInterval(clock);
  };
};
