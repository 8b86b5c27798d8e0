"use strict";
// Who one is and where one looks; the frames talk to each other through this page.
// A place is `channel` (#hearts), `dm`, or the id of another channel; all but the DM share one half of the page.

const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const narrow = matchMedia("(max-width: 760px)");
const sections = all("section");
const languages = all("#languages label");
const buttons = () => all("#places button");
const buttonOf = (place) => buttons().find(({ dataset }) => dataset.place === place);

const chosen = () => sections.find(isShown);
const framesOf = (person) => all("iframe", sections.find((section) => section.dataset.person === person));
const isShown = (section) => section.classList.contains("shown");
const tell = (frame, what) => frame.contentWindow.postMessage(what, new URL(frame.dataset.src).origin);

let room = "channel"; // the place shown beside the DM, or above it on a telephone

/** What nobody sees needs no drawing. */
function tellLook(frame) {
  if (frame.dataset.loaded) tell(frame, { shown: isShown(frame.parentElement), alone: narrow.matches });
}

function mark(marked, isCurrent) {
  for (const button of marked) {
    if (isCurrent(button)) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}

/** Whether somebody looks at this place: on a telephone, at one only. */
const isSeen = (place) => place === (narrow.matches ? document.body.dataset.place : room) || place === "dm" && !narrow.matches;

function be(person) {
  location.replace(`#${person}`);
  mark(all("#people button"), (button) => button.dataset.person === person);
  for (const section of sections) section.classList.toggle("shown", section.dataset.person === person);
  for (const label of languages) label.hidden = ![person, "the server"].includes(label.dataset.whose);
  for (const button of buttons()) button.classList.remove("news");
  for (const frame of framesOf(person)) if (!frame.src) frame.src = frame.dataset.src;
  show();
  for (const frame of all("iframe")) tellLook(frame);
}

/** The chosen person's frame for a place; one for another channel is made when somebody first looks there. */
function frameAt(place) {
  const frames = all("iframe", chosen());
  const found = frames.find(({ dataset }) => dataset.place === place);
  if (found) return found;
  const home = frames.find(({ dataset }) => dataset.place === "channel");
  const frame = document.createElement("iframe");
  frame.title = document.body.dataset.seen.replace("{place}", buttonOf(place).textContent).replace("{who}", chosen().dataset.person);
  frame.dataset.place = place;
  frame.dataset.src = home.dataset.src.replace("/#", `/?room=${place}#`);
  frame.addEventListener("load", loaded);
  frame.src = frame.dataset.src;
  home.after(frame);
  return frame;
}

/** What stands in an empty channel is in a language, too. */
function loadAgain(frame, language) {
  if (!frame.dataset.loaded) return;
  const url = new URL(frame.src);
  url.searchParams.set("language", language);
  frame.src = url;
}

function loaded({ target }) {
  target.dataset.loaded = "true";
  tellLook(target);
}

/** Show the room in its half of the page. */
function show() {
  const shown = frameAt(room);
  for (const frame of all("iframe", chosen())) frame.classList.toggle("other", frame !== shown && frame.dataset.place !== "dm");
  see(document.body.dataset.place === "dm" ? "dm" : room);
}

/** On a telephone the room stands above the DM: bring this one into sight. */
function look(place) {
  if (place !== "dm") room = place;
  see(place);
  show();
  for (const section of sections) section.scrollTop = place === "dm" ? section.scrollHeight : 0;
  findThreads();
}

function see(place) {
  document.body.dataset.place = place;
  mark(buttons(), (button) => isSeen(button.dataset.place));
  buttonOf(place).classList.remove("news");
  buttonOf(place).scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** A button for each thread that is open, or that somebody looks at. */
async function findThreads() {
  const threads = await (await fetch("threads")).json();
  for (const { id, name, archived } of threads) {
    const isListed = !archived || room === id;
    if (isListed && !buttonOf(id)) addThread(id, name);
    if (!isListed) all(`#places [data-place="${id}"], iframe[data-place="${id}"]`).forEach((one) => one.remove());
  }
}

function addThread(id, name) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", textContent: `↳ ${name}`, title: name });
  Object.assign(button.dataset, { place: id, channel: id });
  document.querySelector("#rooms button:last-child").before(button);
}

/** Follow a link to a channel. */
async function go(from, channel) {
  const isKnown = () => buttons().find(({ dataset }) => dataset.channel === channel);
  if (channel !== "dm" && !isKnown()) await openThread(channel);
  const place = channel === "dm" ? "dm" : isKnown()?.dataset.place ?? "channel";
  look(place);
  const frame = frameAt(place);
  frame.focus();
  if (frame.dataset.loaded) tell(frame, { newest: true });
}

/** A thread that has been archived gets its button back. */
async function openThread(id) {
  const found = (await (await fetch("threads")).json()).find((thread) => thread.id === id);
  if (found) addThread(id, found.name);
}

let finding = 0;
function heard(frame, said) {
  if (said.go) go(frame, said.go);
  if (said.news && isShown(frame.parentElement)) {
    if (!isSeen(frame.dataset.place)) buttonOf(frame.dataset.place)?.classList.add("news");
    clearTimeout(finding);
    finding = setTimeout(findThreads, 200);
  }
  if ("lost" in said) document.getElementById("lost").hidden = !said.lost;
}

for (const button of all("#people button")) button.addEventListener("click", () => be(button.dataset.person));
document.getElementById("places").addEventListener("click", ({ target }) => {
  if (target.dataset.place) look(target.dataset.place);
});
for (const frame of all("iframe")) frame.addEventListener("load", loaded);
for (const section of sections) {
  section.addEventListener("scroll", () => {
    if (isShown(section)) see(section.scrollTop > section.clientHeight / 2 ? "dm" : room);
  });
}
for (const label of languages) {
  label.addEventListener("change", async ({ target }) => {
    const { whose } = label.dataset;
    await fetch("language", { method: "POST", body: new URLSearchParams({ whose, locale: target.value }) });
    const theirs = ({ parentElement }) => whose === "the server" || whose === parentElement.dataset.person;
    for (const frame of all("iframe").filter(theirs)) loadAgain(frame, target.value);
  });
}
narrow.addEventListener("change", () => {
  all("iframe").forEach(tellLook);
  see(document.body.dataset.place);
});
window.addEventListener("message", ({ source, data }) => {
  const frame = all("iframe").find(({ contentWindow }) => contentWindow === source);
  if (frame) heard(frame, data);
});

const people = sections.map((section) => section.dataset.person);
const named = decodeURIComponent(location.hash.slice(1));
be(people.includes(named) ? named : people[0]);
look("channel");
