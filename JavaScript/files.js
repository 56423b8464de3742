// @ts-check
// Files that a person gives to a page, or gets from it; files.d.ts documents it.

const standardLimit = 5_000_000;

/** @returns {Promise<string>} the bytes of a file, as Base64 */
const base64Of = (file) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(`${reader.result}`.split(",")[1] ?? "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

// Returns the fields of the action of a file.
async function fieldsOf(file, limit) {
  const { name, size } = file;
  const none = (problem) => ({ name, problem, base64: "" });
  if (!(size <= limit)) return none(`${name} is larger than ${limit / 1e6} MB.`);
  try {
    return { name, problem: "", base64: await base64Of(file) };
  } catch {
    return none(`${name} cannot be read.`); // a folder, or a file that has changed
  }
}

// Sends the action of an element, as that of a form: page.js treats it as a person's.
function submit(element, fields) {
  const form = element.ownerDocument.createElement("form");
  form.hidden = true;
  form.dataset.submit = element.dataset.file;
  for (const [name, value] of Object.entries(fields)) {
    const field = element.ownerDocument.createElement("input");
    form.append(Object.assign(field, { type: "hidden", name, value }));
  }
  element.append(form);
  form.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  form.remove();
}

async function give(element, files) {
  const limit = Number(element.dataset.limit ?? standardLimit);
  const all = await Promise.all(files.map((file) => fieldsOf(file, limit)));
  all.sort((one, other) => Number(!!one.problem) - Number(!!other.problem)); // the last one shows
  for (const fields of all) submit(element, fields);
}

function save(document, name, base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const href = URL.createObjectURL(new Blob([bytes]));
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000); // the browser may read it later
}

/** @type {import("./files.d.ts").files} */
export const files = (/** @type {any} */ root, page) => {
  const document = root.ownerDocument ?? root;

  root.addEventListener("change", ({ target }) => {
    if (!target.matches("[type=file][data-file]")) return;
    const chosen = [...target.files];
    target.value = ""; // the same file may be chosen again
    give(target, chosen);
  });

  // The place of a dragged file. In Firefox, the target may be a text.
  const placeOf = ({ target, dataTransfer }) =>
    dataTransfer?.types.includes("Files") &&
    (target.closest ? target : target.parentElement)?.closest("[data-file], [type=file]");

  root.addEventListener("dragover", (event) => {
    if (placeOf(event)?.matches("[data-file]")) event.preventDefault();
  });
  root.addEventListener("drop", (event) => {
    const place = placeOf(event);
    if (!place?.matches("[data-file]")) return;
    event.preventDefault();
    give(place, [...event.dataTransfer.files]);
  });

  return {
    ...page,
    set(name, text) {
      const [, file, base64] = name === "sharing-download" && text.match(/^(.*) (\S*)$/s) || [];
      if (file !== undefined) save(document, file, base64);
      else if (name !== "sharing-files") page.set(name, text);
    },
  };
};
