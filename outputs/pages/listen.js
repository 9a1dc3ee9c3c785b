"use strict";
// A book that is heard while it is rendered. A sound is a stream that begins with a segment of a
// chapter; each jump asks for another one. What was heard is kept by the server.

const byId = (id) => document.getElementById(id);
const voice = byId("voice");
const POLL_MS = 1500;
const TICK_MS = 100;

let book = null;
let chapter = -1;
let segments = []; // of the chapter: seconds, as they are estimated, and their element
let first = 0; // the segment with which the sound begins
let starts = []; // when it and those after it begin in the sound, in seconds, as far as it is known
let current = 0; // the segment that is heard
let isWanted = false; // that it plays
let lastScroll = 0; // when the reader has moved the page

async function fetched(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

function clock(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  const minutes = Math.floor(whole / 60) % 60;
  const parts = [minutes, whole % 60];
  if (whole >= 3600) parts.unshift(Math.floor(whole / 3600));
  return parts.map((part, at) => (at ? String(part).padStart(2, "0") : part)).join(":");
}

// The list of chapters.

async function showBook() {
  book = await fetched("book.json");
  listChapters();
  book.chapters.forEach(({ segments: all, stored, seconds }, number) => {
    const share = stored === all ? "ready" : `${Math.floor((100 * stored) / all)} %`;
    byId("chapters").children[number].querySelector(".state").textContent =
      `${clock(seconds)} · ${share}`;
  });
  if (!book.isComplete || book.chapters.some(({ segments: all, stored }) => stored < all)) {
    setTimeout(() => showBook().catch(() => {}), POLL_MS);
  }
}

/** Whether the book has a chapter of this number; waits for one that is not read yet. */
async function hasChapter(number) {
  while (number >= book.chapters.length && !book.isComplete) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    book = await fetched("book.json");
  }
  return number < book.chapters.length;
}

function listChapters() {
  const shown = byId("chapters").children.length;
  for (const [at, { title }] of book.chapters.slice(shown).entries()) {
    const number = shown + at;
    const button = document.createElement("button");
    const [name, state] = [document.createElement("span"), document.createElement("span")];
    name.textContent = title || `Chapter ${number + 1}`;
    name.dir = "auto";
    state.className = "state";
    button.type = "button";
    button.append(name, state);
    button.addEventListener("click", () => playFrom(number, 0));
    const item = document.createElement("li");
    item.append(button);
    byId("chapters").append(item);
  }
}

// The text.

async function showChapter(number) {
  if (number === chapter) return;
  listChapters();
  const { blocks } = await fetched(`chapters/${number}.json`);
  chapter = number;
  segments = [];
  byId("text").replaceChildren(...blocks.map(blockElement));
  byId("position").max = Math.round(total());
  for (const [at, item] of [...byId("chapters").children].entries()) {
    const button = item.firstChild;
    if (at === number) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}

function blockElement({ kind, language, segments: parts }) {
  const block = document.createElement(kind === "heading" ? "h2" : "p");
  block.lang = language;
  block.dir = "auto";
  for (const { text, seconds } of parts) {
    const place = segments.length;
    const element = document.createElement("span");
    element.className = "segment";
    element.textContent = text;
    element.addEventListener("click", () => playFrom(chapter, place));
    block.append(element, " ");
    segments.push({ seconds, element });
  }
  return block;
}

// Times: estimates, until a segment has been joined.

const total = () => segments.reduce((sum, { seconds }) => sum + seconds, 0);
const before = (at) => segments.slice(0, at).reduce((sum, { seconds }) => sum + seconds, 0);

function elapsed() {
  const inside = voice.currentTime - (starts[current - first] ?? 0);
  return before(current) + Math.min(Math.max(inside, 0), segments[current].seconds);
}

/** The segment some seconds into the chapter. */
function segmentAt(seconds) {
  let at = 0;
  for (let end = segments[0].seconds; end <= seconds && at < segments.length - 1; at += 1) {
    end += segments[at + 1].seconds;
  }
  return at;
}

// The sound.

async function playFrom(number, segment) {
  isWanted = true;
  await goTo(number, segment).catch(() => showProblem());
}

async function goTo(number, segment) {
  await showChapter(number);
  first = current = Math.min(segment, segments.length - 1);
  starts = [];
  voice.src = `chapters/${number}/sound?from=${first}`;
  voice.playbackRate = voice.defaultPlaybackRate = Number(byId("speed").value);
  showPlace();
  if (isWanted) play();
}

function play() {
  isWanted = true;
  byId("problem").textContent = "";
  if (!voice.src || voice.error) return goTo(Math.max(chapter, 0), current).catch(showProblem);
  voice.play().catch((error) => {
    if (error.name === "NotAllowedError") pause(); // the browser wants a click first
  });
  showPlaying();
}

function pause() {
  isWanted = false;
  voice.pause();
  showPlaying();
}

function showPlaying() {
  byId("play").classList.toggle("plays", isWanted);
  if (navigator.mediaSession) {
    navigator.mediaSession.playbackState = isWanted ? "playing" : "paused";
  }
}

async function learnStarts() {
  if (!isWanted || first + starts.length >= segments.length) return;
  const [number, from] = [chapter, first];
  const found = await fetched(`chapters/${number}/starts.json?from=${from}`).catch(() => []);
  if (number !== chapter || from !== first || found.length <= starts.length) return;
  starts = found;
  for (let at = 1; at < starts.length; at += 1) {
    segments[first + at - 1].seconds = starts[at] - starts[at - 1];
  }
  byId("position").max = Math.round(total());
}

function tick() {
  if (voice.paused || !segments.length) return;
  let at = first;
  while (at - first + 1 < starts.length && starts[at - first + 1] <= voice.currentTime) at += 1;
  if (at !== current) {
    current = at;
    showPlace();
  }
  byId("position").value = Math.round(elapsed());
  byId("clock").textContent = `${clock(elapsed())} / ${clock(total())}`;
}

function showPlace() {
  document.querySelector(".lit")?.classList.remove("lit");
  const { element } = segments[current];
  element.classList.add("lit");
  if (Date.now() - lastScroll > 6000) element.scrollIntoView({ block: "center" });
  byId("position").value = Math.round(elapsed());
  byId("clock").textContent = `${clock(elapsed())} / ${clock(total())}`;
  remember();
}

function jump(seconds) {
  const wanted = elapsed() + seconds;
  if (wanted >= total() && chapter + 1 < book.chapters.length) return goTo(chapter + 1, 0);
  const at = segmentAt(Math.max(wanted, 0));
  // A segment is longer than the jump: at least one on.
  return goTo(chapter, at === current && seconds > 0 ? Math.min(at + 1, segments.length - 1) : at);
}

function nextChapter(step) {
  const number = chapter + step;
  if (number >= 0 && number < book.chapters.length) goTo(number, 0).catch(showProblem);
}

voice.addEventListener("ended", async () => {
  await learnStarts();
  tick();
  const heard = first + starts.length - 1;
  if (heard < segments.length - 1) {
    current = Math.max(heard, first);
    return showProblem(); // the sound has ended before the chapter
  }
  const following = chapter + 1;
  const isThere = await hasChapter(following).catch(() => showProblem());
  if (chapter + 1 !== following || !isWanted) return; // the listener has gone elsewhere
  return isThere ? playFrom(following, 0) : pause();
});
voice.addEventListener("error", () => showProblem());
wakeUntil(new AbortController().signal, voice, play, () => {}); // no beginning yet: it is being rendered

async function showProblem() {
  pause();
  const answer = await fetched("book.json").catch(() => null);
  byId("problem").textContent = answer
    ? `${answer.problem || "The sound has stopped."} Press Play to go on.`
    : "audiomill does not answer: is it still running?";
}

// The place is kept in this browser.

const storageKey = () => `audiomill-listen-${book.id}`;

function remember() {
  try {
    localStorage.setItem(storageKey(), JSON.stringify([chapter, current]));
  } catch {} // private windows keep nothing
}

async function remembered() {
  try {
    const [number, segment] = JSON.parse(localStorage.getItem(storageKey()));
    if (await hasChapter(number)) return [number, segment];
  } catch {}
  return [0, 0];
}

// Controls.

const actions = {
  "previous-chapter": () => nextChapter(-1),
  back: () => jump(-15),
  play: () => (isWanted ? pause() : play()),
  on: () => jump(30),
  "next-chapter": () => nextChapter(1),
};
for (const [id, act] of Object.entries(actions)) byId(id).addEventListener("click", act);
const keys = {
  " ": "play", ArrowLeft: "back", ArrowRight: "on", "[": "previous-chapter", "]": "next-chapter",
};
document.addEventListener("keydown", (event) => {
  const isTyped = event.target.closest("input, select, button") && event.key !== "[" && event.key !== "]";
  if (!keys[event.key] || isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  actions[keys[event.key]]();
});
byId("speed").addEventListener("change", () => {
  voice.playbackRate = voice.defaultPlaybackRate = Number(byId("speed").value);
});
byId("position").addEventListener("change", () => goTo(chapter, segmentAt(Number(byId("position").value))));
for (const kind of ["wheel", "touchmove"]) {
  document.addEventListener(kind, () => { lastScroll = Date.now(); }, { passive: true });
}
if (navigator.mediaSession) {
  const handlers = {
    play, pause, seekbackward: () => jump(-15), seekforward: () => jump(30),
    previoustrack: () => nextChapter(-1), nexttrack: () => nextChapter(1),
  };
  for (const [name, act] of Object.entries(handlers)) navigator.mediaSession.setActionHandler(name, act);
  navigator.mediaSession.metadata = new MediaMetadata({ title: document.querySelector("h1").textContent });
}
setInterval(tick, TICK_MS);
setInterval(learnStarts, 1000);

showBook()
  .then(async () => {
    const [number, segment] = await remembered();
    await showChapter(number);
    current = first = Math.min(segment, segments.length - 1);
    showPlace();
  })
  .catch(() => showProblem());
