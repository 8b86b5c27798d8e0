"use strict";
// Who one is and, on a telephone, where one looks; the frames talk to each other through this page.

const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const narrow = matchMedia("(max-width: 760px)");
const sections = all("section");
const languages = all("#languages label");

const framesOf = (person) => all("iframe", sections.find((section) => section.dataset.person === person));
const isShown = (section) => section.classList.contains("shown");
const tell = (frame, what) => frame.contentWindow.postMessage(what, new URL(frame.dataset.src).origin);

/** What nobody sees needs no drawing. */
function tellLook(frame) {
  if (frame.dataset.loaded) tell(frame, { shown: isShown(frame.parentElement), alone: narrow.matches });
}

function mark(buttons, chosen) {
  for (const button of buttons) {
    if (chosen(button)) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}

function be(person) {
  location.replace(`#${person}`);
  mark(all("#people button"), (button) => button.dataset.person === person);
  for (const section of sections) section.classList.toggle("shown", section.dataset.person === person);
  for (const label of languages) label.hidden = ![person, "the server"].includes(label.dataset.whose);
  for (const button of all("#places button")) button.classList.remove("news");
  for (const frame of framesOf(person)) if (!frame.src) frame.src = frame.dataset.src;
  for (const frame of all("iframe")) tellLook(frame);
}

/** On a telephone the channel stands above the DM: bring this one into sight. */
function look(place) {
  see(place);
  for (const section of sections) section.scrollTop = place === "dm" ? section.scrollHeight : 0;
}

function see(place) {
  document.body.dataset.place = place;
  mark(all("#places button"), (button) => button.dataset.place === place);
  document.querySelector(`#places [data-place=${place}]`).classList.remove("news");
}

function heard(frame, said) {
  if (said.go) {
    const other = framesOf(frame.parentElement.dataset.person).find(({ dataset }) => dataset.place === said.go);
    look(said.go);
    other.focus();
    tell(other, { newest: true });
  }
  if (said.news && isShown(frame.parentElement) && frame.dataset.place !== document.body.dataset.place) {
    document.querySelector(`#places [data-place=${frame.dataset.place}]`).classList.add("news");
  }
  if ("lost" in said) document.getElementById("lost").hidden = !said.lost;
}

for (const button of all("#people button")) button.addEventListener("click", () => be(button.dataset.person));
for (const button of all("#places button")) button.addEventListener("click", () => look(button.dataset.place));
for (const frame of all("iframe")) {
  frame.addEventListener("load", () => {
    frame.dataset.loaded = "true";
    tellLook(frame);
  });
}
for (const section of sections) {
  section.addEventListener("scroll", () => {
    if (isShown(section)) see(section.scrollTop > section.clientHeight / 2 ? "dm" : "channel");
  });
}
for (const label of languages) {
  label.addEventListener("change", ({ target }) => {
    fetch("language", { method: "POST", body: new URLSearchParams({ whose: label.dataset.whose, locale: target.value }) });
  });
}
narrow.addEventListener("change", () => all("iframe").forEach(tellLook));
window.addEventListener("message", ({ source, data }) => {
  const frame = all("iframe").find(({ contentWindow }) => contentWindow === source);
  if (frame) heard(frame, data);
});

const people = sections.map((section) => section.dataset.person);
const named = decodeURIComponent(location.hash.slice(1));
be(people.includes(named) ? named : people[0]);
look("channel");
