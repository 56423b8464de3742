// @ts-check
// The counter of Template, handwritten without a library: a number, stored as JSON.

const output = /** @type {Element} */ (document.querySelector("#count"));
let count = 0;

function read() {
  try {
    count = JSON.parse(localStorage.getItem("count") ?? "0");
  } catch {
    count = 0;
  }
  output.textContent = String(count);
}

read();
document.querySelector("#increment")?.addEventListener("click", () => {
  read();
  output.textContent = String(++count);
  localStorage.setItem("count", JSON.stringify(count));
});
addEventListener("storage", read);
