"use strict";
// Runs in each frame before simcord's page, and makes it a window of Discord beside another.

(() => {
  const NEAR = 60; // pixels from the end at which one still follows it
  const tell = (what) => parent.postMessage(what, "*"); // only our page may frame this one
  const room = new URLSearchParams(location.search).get("room"); // the channel, if it isn't the frame's own

  // Cards and letters are here before anything is shown: else names of cards would flash in their places.
  const pictures = new Map(Object.entries(PICTURES).map(([name, src]) => [name, Object.assign(new Image(), { src, decoding: "sync" })]));
  const fonts = [["16px 'Noto Sans'", "A"], ["16px 'Noto Color Emoji'", "🤖"]].map((font) => document.fonts.load(...font));
  const loaded = Promise.allSettled([...fonts, ...[...pictures.values()].map((image) => image.decode())]);
  window.picture = (name, className) => {
    const image = pictures.get(name)?.cloneNode();
    return image && Object.assign(image, { className, alt: name === "face" ? "" : name });
  };

  // simcord's page loads its fonts for all scripts, 30 MB, before it shows anything; the browser by itself loads
  // those that the words on the page need.
  document.fonts.load = async () => [];
  document.fonts.check = () => true;

  // simcord's page asks again and again for what it shows. The answer waits for news, but not where an answer
  // before it was thrown away; and as long as nobody can see this frame it does not ask.
  let shown = true;
  let appear = () => {};
  let told = null;
  const ask = window.fetch;
  window.fetch = async (address, options) => {
    if (address === "/api/pages") await loaded;
    if (address === "/api/pages" && room) return ask(address, { ...options, headers: { ...options.headers, "X-Hearts-Room": room } });
    if (address !== "/api/state") return ask(address, options);
    while (!shown) await new Promise((resolve) => { appear = resolve; });
    const givenUp = () => options.signal.aborted;
    options.signal.addEventListener("abort", () => { told = null; });
    try {
      const headers = told === null ? options.headers : { ...options.headers, "X-Hearts-News": told };
      const answer = await ask(address, { ...options, headers });
      if (answer.status === 410 && !givenUp()) location.reload(); // left alone for long
      if (!givenUp()) told = answer.headers.get("X-Hearts-News");
      tell({ lost: answer.status === 503 });
      return answer;
    } catch (problem) {
      if (!givenUp()) {
        tell({ lost: true });
        await new Promise((resolve) => { setTimeout(resolve, 1000); });
      }
      throw problem;
    }
  };

  window.addEventListener("message", ({ source, data }) => {
    if (source !== parent) return;
    if ("shown" in data) {
      shown = data.shown;
      document.documentElement.classList.toggle("alone", data.alone);
      if (shown) appear();
    }
    if (data.newest) follow();
  });

  // The newest message stays in sight until somebody scrolls away from it.
  let following = true;
  let touched = -Infinity;
  let top = 0;
  const timeline = () => document.getElementById("channel-timeline");
  const distance = (box) => box.scrollHeight - box.scrollTop - box.clientHeight;
  function toEnd() {
    const box = timeline();
    if (following && distance(box) > 1) box.scrollTop = box.scrollHeight;
    top = box.scrollTop;
  }
  function follow() {
    following = true;
    toEnd();
  }

  // A picture stays until the next one is there: else the table would go out at each card.
  const shownLast = new Map(); // by message
  function keepPictures(changes) {
    for (const added of changes.flatMap((change) => [...change.addedNodes])) {
      const image = added.querySelector?.("img.gallery-image");
      const message = image?.closest("[data-message-id]")?.dataset.messageId;
      if (!message || image.complete && image.src) continue;
      const old = shownLast.get(message);
      old?.classList.add("old-picture");
      if (old) image.before(old);
      image.addEventListener("load", () => {
        old?.remove();
        shownLast.set(message, image);
      }, { once: true });
    }
  }

  // Discord's own links lead to a channel: to another frame, or to the newest message of this one.
  document.addEventListener("click", (event) => {
    const begun = event.target.closest("[data-run]");
    if (begun && event.detail < 2) run(begun.dataset.run); // once, with a double click too
    if (begun) return;
    const command = event.target.closest("span.command-mention");
    if (command) return type(command.textContent);
    const thread = event.target.closest(".thread-summary"); // which has the id of its message
    if (thread) return tell({ go: thread.closest("[data-message-id]").dataset.messageId });
    const link = event.target.closest('a[href^="https://discord.com/channels/"], .mention');
    if (!link || (!link.href && !link.textContent.startsWith("#"))) return;
    event.preventDefault();
    tell({ go: link.href ? channelOf(link.href) : link.dataset.id });
  }, true);
  const channelOf = (address) => address.includes("/channels/@me/") ? "dm" : address.split("/")[5];

  function type(text) {
    const box = document.getElementById("channel-composer-input");
    box.value = text;
    box.dispatchEvent(new InputEvent("input", { bubbles: true }));
    box.focus();
  }

  /** Type a command, and send it as soon as simcord knows it. */
  function run(text) {
    type(text);
    const send = () => {
      if (!commandOf(text)) return;
      popup.disconnect();
      document.getElementById("send-message").click();
    };
    const popup = new MutationObserver(send);
    popup.observe(document.body, { childList: true, subtree: true });
    send();
  }
  const commandOf = (words) => [...document.querySelectorAll(".command-entry")]
    .find((entry) => entry.querySelector("strong").textContent === words);

  // Enter sends a command that is complete, as in Discord; simcord would begin with the first of its options.
  let choosing = false;
  document.addEventListener("focusin", () => { choosing = false; });
  document.addEventListener("keydown", (event) => {
    if (!event.target.matches?.(".command-chip")) return;
    if (event.key.startsWith("Arrow")) choosing = true;
    if (event.key !== "Enter" || choosing) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    document.getElementById("send-message").click();
  }, true);

  // Whoever sends a command's words by the button means the command; simcord would send the words.
  document.addEventListener("submit", (event) => {
    const meant = commandOf(document.getElementById("channel-composer-input")?.value.trim());
    if (!meant) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    meant.click();
    setTimeout(() => document.getElementById("send-message").click()); // not while this is being submitted
  }, true);

  // While a menu is open, simcord draws everything anew as soon as another control is pressed, and the browser
  // then takes the rest of that click for another's: it is done here, if it does not come by itself.
  let pressed = null;
  const controlOf = ({ target }) => target.closest?.("[data-control-key]")?.dataset.controlKey ?? null;
  document.addEventListener("pointerdown", (event) => {
    pressed = document.querySelector(".preview-select.is-open") && controlOf(event);
  }, true);
  document.addEventListener("click", (event) => {
    if (controlOf(event) === pressed) pressed = null;
  }, true);
  document.addEventListener("pointerup", (event) => {
    const key = pressed;
    if (key === null || controlOf(event) !== key) return;
    setTimeout(() => {
      if (pressed === key) document.querySelector(`button[data-control-key="${CSS.escape(key)}"]`)?.click();
    });
  }, true);

  // `in 30 seconds` counts down; simcord writes it once.
  function relative(seconds, locale) {
    const words = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
    for (const [unit, size] of [["day", 86400], ["hour", 3600], ["minute", 60]]) {
      if (Math.abs(seconds) >= size) return words.format(Math.round(seconds / size), unit);
    }
    return words.format(Math.round(seconds), "second");
  }
  function countDown() {
    for (const time of document.querySelectorAll("time[data-locale]")) {
      const text = relative((new Date(time.dateTime) - Date.now()) / 1000, time.dataset.locale);
      if (time.textContent !== text) time.textContent = text;
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    const box = timeline();
    const list = document.getElementById("channel-message-list");
    const touch = () => { touched = performance.now(); };
    for (const kind of ["wheel", "touchmove", "keydown"]) box.addEventListener(kind, touch, { passive: true });
    box.addEventListener("pointerdown", ({ target }) => { if (target === box) touch(); }); // its scrollbar
    box.addEventListener("scroll", () => {
      if (performance.now() - touched > 400) return toEnd();
      touch(); // a telephone rolls on
      if (distance(box) <= NEAR) following = true;
      else if (box.scrollTop < top) following = false;
      top = box.scrollTop;
    }, { passive: true });
    document.getElementById("channel-composer").addEventListener("submit", follow, true);
    for (const watched of [list, box]) new ResizeObserver(toEnd).observe(watched);
    new MutationObserver((changes) => {
      tell({ news: true });
      const added = changes.flatMap((change) => [...change.addedNodes]);
      if (added.some((message) => message.querySelector(".message-ephemeral-note"))) follow(); // one's own answer
    }).observe(list, { childList: true });
    new MutationObserver(keepPictures).observe(list, { childList: true, subtree: true });
    setInterval(countDown, 1000);
  });
})();
