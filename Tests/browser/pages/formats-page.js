// @ts-check
// Binds the page without a program.

// @ts-types="../../../JavaScript/formats.d.ts"
import { format } from "../../../JavaScript/formats.js";
// @ts-types="../../../JavaScript/page.d.ts"
import { bind } from "../../../JavaScript/page.js";

const end = format(document, { stars: (value) => "★".repeat(Number(value)) });
Object.assign(globalThis, { end, page: bind(document) });
