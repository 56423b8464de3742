// @ts-check
// The demo's todo list, handwritten without a library: an array, one row of the document for each
// element, and the whole array stored as JSON after every change.

const $ = (/** @type {string} */ selector) => /** @type {any} */ (document.querySelector(selector));
const key = "todos-sharing";
/** @type {{ id: string, title: string, completed: boolean }[]} */
const todos = JSON.parse(localStorage.getItem(key) ?? "[]");
const list = $(".todo-list");
const pattern = list.querySelector("template").content.firstElementChild;

function makeRow(/** @type {typeof todos[0]} */ { id, title, completed }) {
  const row = pattern.cloneNode(true);
  row.dataset.id = id;
  row.classList.toggle("completed", completed);
  const toggle = row.querySelector(".toggle");
  toggle.checked = completed;
  toggle.ariaLabel = title;
  row.querySelector("label").textContent = title;
  row.querySelector(".edit").value = title;
  return row;
}

function store() {
  localStorage.setItem(key, JSON.stringify(todos));
}

function showTotals() {
  const left = todos.filter(({ completed }) => !completed).length;
  $("[data-text=left]").textContent = left;
  $("[data-text=items]").textContent = left === 1 ? "item" : "items";
  $("[data-text=badge]").textContent = `${left} to do`;
  $("[data-text=progress]").textContent = `${todos.length - left} of ${todos.length} done`;
  $(".todoapp .main").hidden = $(".footer").hidden = todos.length === 0;
  $(".clear-completed").hidden = left === todos.length;
  $(".toggle-all").checked = left === 0;
}

list.addEventListener("click", (/** @type {any} */ { target }) => {
  if (!target.matches(".toggle")) return;
  const row = target.closest("li");
  const todo = /** @type {any} */ (todos.find(({ id }) => id === row.dataset.id));
  todo.completed = target.checked;
  row.classList.toggle("completed", todo.completed);
  store();
  showTotals();
});

$(".new-todo").addEventListener("keydown", (/** @type {any} */ event) => {
  const title = event.target.value.trim();
  if (event.key !== "Enter" || !title) return;
  const todo = { id: crypto.randomUUID(), title, completed: false };
  todos.push(todo);
  list.append(makeRow(todo));
  event.target.value = "";
  store();
  showTotals();
});

let count = Number(localStorage.getItem("count") ?? 0);
$("#increment").addEventListener("click", () => {
  count += 1;
  localStorage.setItem("count", String(count));
  $("#count").textContent = count;
});

list.append(...todos.map(makeRow));
showTotals();
$("#count").textContent = count;
$("[data-text=program-error]").textContent = "";
for (const controls of document.querySelectorAll("fieldset")) controls.disabled = false;
