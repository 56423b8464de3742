// @ts-check
// Assembles small WebAssembly modules for actions that a fake in JavaScript cannot do: trap, grow
// memory during a call, call an import from an export.

const i32 = 0x7f;

/** The instructions that the tests need. */
export const op = {
  unreachable: [0x00],
  end: [0x0b],
  call: (/** @type {number} */ index) => [0x10, index],
  drop: [0x1a],
  get: (/** @type {number} */ local) => [0x20, local],
  const: (/** @type {number} */ value) => [0x41, ...signed(value)],
  growMemory: [0x40, 0x00],
  add: [0x6a],
};

/**
 * A module with one memory of a page, exported as "memory". Everything is an i32.
 * @param {{
 *   imports?: [module: string, name: string, parameters: number, results: number][],
 *   functions?: { [name: string]: { parameters?: number, results?: number, code: number[][] } },
 * }} parts imported functions come first in the numbering of `op.call`
 */
export function assemble({ imports = [], functions = {} }) {
  const own = Object.entries(functions);
  const types = [
    ...imports.map(([, , parameters, results]) => type(parameters, results)),
    ...own.map(([, { parameters = 0, results = 0 }]) => type(parameters, results)),
  ];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, types),
    ...section(2, imports.map(([from, name], index) => [...text(from), ...text(name), 0, index])),
    ...section(3, own.map((_, index) => [imports.length + index])),
    ...section(5, [[0, 1]]),
    ...section(7, [
      [...text("memory"), 2, 0],
      ...own.map(([name], index) => [...text(name), 0, imports.length + index]),
    ]),
    ...section(10, own.map(([, { code }]) => sized([0, ...code.flat(), ...op.end]))),
  ]);
}

const type = (/** @type {number} */ parameters, /** @type {number} */ results) => [
  0x60,
  ...[parameters, ...Array(parameters).fill(i32)],
  ...[results, ...Array(results).fill(i32)],
];

const section = (/** @type {number} */ id, /** @type {number[][]} */ items) => [
  id,
  ...sized([...unsigned(items.length), ...items.flat()]),
];

const sized = (/** @type {number[]} */ bytes) => [...unsigned(bytes.length), ...bytes];

const text = (/** @type {string} */ string) => sized([...new TextEncoder().encode(string)]);

/** @returns {number[]} LEB128 */
const unsigned = (/** @type {number} */ value) =>
  value < 0x80 ? [value] : [value & 0x7f | 0x80, ...unsigned(value >>> 7)];

/** @returns {number[]} LEB128 */
const signed = (/** @type {number} */ value) =>
  value >= -0x40 && value < 0x40 ? [value & 0x7f] : [value & 0x7f | 0x80, ...signed(value >> 7)];
