// Steps through the main replay by buttons and keys: a target shows the board after so many moves.
"use strict";
const links = [...document.querySelectorAll(".moves a")], last = links.length - 1;
const list = document.querySelector(".moves"), position = document.querySelector(".position");
const said = document.querySelector(".said"), steps = document.querySelector(".steps");
const ways = [() => 0, () => here() - 1, null, () => here() + 1, () => last];
const keys = ["Home", "ArrowLeft", null, "ArrowRight", "End"];
const play = steps.children[2];
let playing = 0;

function here() {
  const at = links.findIndex((link) => link.hash === location.hash);
  return at < 0 ? last : at;
}
// What each move puts on points, as "x C4|C5": x comes to C4, and C5 is empty.
function words(now) {
  const kinds = new Map();
  for (const link of links.slice(0, now + 1)) {
    for (const put of link.dataset.put.split("|")) kinds.set(put.split(" ").at(-1), put.split(" ").slice(0, -1).join(" "));
  }
  const places = {};
  for (const [name, kind] of kinds) if (kind) (places[kind] ??= []).push(name);
  const groups = Object.keys(places).sort().map((kind) => `${kind} at ${places[kind].join(", ")}`);
  return groups.length ? `Board with ${groups.join("; ")}.` : "Empty board.";
}
function show() {
  const now = here(), { textContent: move, dataset: { taken } } = links[now];
  links.forEach((link, at) => (at === now ? link.setAttribute("aria-current", "step") : link.removeAttribute("aria-current")));
  list.scrollTop = links[now].offsetTop - list.clientHeight / 2;
  said.textContent = now ? `${now}. ${move}${taken ? `, takes ${taken}` : ""}` : move;
  position.textContent = words(now);
  if (now === last) pause();
}
function pause() {
  playing = clearInterval(playing);
  play.textContent = "Play";
}
function start() {
  if (here() === last) go(0);
  playing = setInterval(() => go(here() + 1), 1000);
  play.textContent = "Pause";
}
function go(ply) {
  const { scrollX, scrollY } = window;
  location.replace(links[Math.min(Math.max(ply, 0), last)].hash); // history.replaceState would not move the target
  scrollTo(scrollX, scrollY);
}
function step(way) {
  if (ways[way]) go(ways[way]());
  else if (playing) pause();
  else start();
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
