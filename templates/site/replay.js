// Steps through the main replay by buttons and keys: a target shows the board after so many moves.
"use strict";
const links = [...document.querySelectorAll(".moves a")], last = links.length - 1;
const said = document.querySelector(".said"), steps = document.querySelector(".steps");
const ways = [() => 0, () => here() - 1, () => here() + 1, () => last];
const keys = ["Home", "ArrowLeft", "ArrowRight", "End"];

function here() {
  const at = links.findIndex((link) => link.hash === location.hash);
  return at < 0 ? last : at;
}
function show() {
  const now = here();
  links.forEach((link, at) => (at === now ? link.setAttribute("aria-current", "step") : link.removeAttribute("aria-current")));
  said.textContent = now ? `${now}. ${links[now].textContent}` : links[0].textContent;
}
function step(way) {
  const to = Math.min(Math.max(ways[way](), 0), last), { scrollX, scrollY } = window;
  location.replace(links[to].hash); // history.replaceState would not move the target
  scrollTo(scrollX, scrollY);
}
[...steps.children].forEach((button, way) => button.addEventListener("click", () => step(way)));
steps.hidden = false;
addEventListener("hashchange", show);
addEventListener("keydown", (event) => {
  const way = keys.indexOf(event.key);
  const elsewhere = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target.closest(".scroll, pre");
  if (way < 0 || elsewhere) return;
  event.preventDefault();
  step(way);
});
show();
for (const button of navigator.clipboard ? document.querySelectorAll(".copier") : []) {
  button.hidden = false;
  button.addEventListener("click", () => navigator.clipboard.writeText(document.querySelector(".copy").textContent));
}
