"use strict";
// Says a text, and plays it while it comes. Where the browser takes the format in parts
// (MediaSource), they are fetched and handed on; else an audio element plays a stream by its address.
// What a browser says that it takes is not always so: if nothing is heard one way, the next is tried.

const byId = (id) => document.getElementById(id);
const sound = byId("sound");
const AHEAD_S = 60; // that the browser is given ahead of what is heard
const KEPT_S = 30; // that it keeps of what was heard
const TOO_EARLY = "The sound ends too early: the server could not say all of the text, or has stopped.";

let attempt = null; // an AbortController: of the text that is being said
let isHeard = false; // something of it

const headers = () => {
  const key = byId("key")?.value;
  return key ? { Authorization: `Bearer ${key}` } : {};
};

async function asked(url, options = {}) {
  const answer = await fetch(url, { ...options, headers: { ...options.headers, ...headers() } });
  if (answer.ok) return answer;
  const told = await answer.json().catch(() => null);
  throw new Error(told?.error?.message || `The server answers ${answer.status}.`);
}

// What can be chosen.

function offer(select, names, chosen) {
  select.replaceChildren(...names.map(([value, label]) => new Option(label, value)));
  if (names.some(([value]) => value === chosen)) select.value = chosen;
}

async function showModels() {
  const { data } = await (await asked("v1/models")).json();
  offer(byId("model"), data.map(({ id }) => [id, id]), byId("model").value);
  await showVoices();
}

async function showVoices() {
  const model = byId("model").value;
  const { voices } = await (await asked(`v1/audio/voices?model=${encodeURIComponent(model)}`)).json();
  const names = voices.map(({ id, title, language }) => [id, title === id ? `${id} (${language})` : `${title} (${language})`]);
  offer(byId("voice"), [["", "As set"], ...names], byId("voice").value);
}

// A text.

function body() {
  const [input, model, voice] = ["text", "model", "voice"].map((id) => byId(id).value);
  const fields = { input, model, speed: Number(byId("speed").value), response_format: byId("format").value };
  return JSON.stringify(voice ? { ...fields, voice } : fields);
}

async function say() {
  stop();
  const own = new AbortController();
  attempt = own;
  const begun = performance.now();
  show("Waiting for the first sound …");
  const type = byId("format").selectedOptions[0].dataset.type;
  sound.onplaying = () => {
    sound.onplaying = null;
    byId("state").textContent = `The first sound came after ${((performance.now() - begun) / 1000).toFixed(2)} s.`;
  };
  try {
    for (const way of waysOf(type)) if (await isSaid(way, type, own.signal)) return;
    throw new Error(`This browser does not play ${byId("format").value}. Choose another format.`);
  } catch (error) {
    if (attempt === own) fail(error.message);
  }
}

const waysOf = (type) => [
  ...(window.MediaSource?.isTypeSupported(type) ? [sayInParts] : []),
  ...(sound.canPlayType(type) ? [sayByAddress, sayWhole] : []),
];

/** Whether something is heard this way, or the text is stopped. Throws what the server refuses. */
async function isSaid(way, type, signal) {
  isHeard = false;
  const own = new AbortController();
  signal.addEventListener("abort", () => own.abort());
  const begun = new Promise((tell) => {
    sound.ontimeupdate = () => { if (sound.currentTime > 0) tell(isHeard = true); };
    sound.onerror = () => { if (sound.error) tell(isHeard); };
    signal.addEventListener("abort", () => tell(true));
    const giveUpIfOver = async () => { if (await isServerDone()) tell(isHeard); };
    if (way === sayByAddress) wakeUntil(own.signal, sound, play, giveUpIfOver);
  });
  const saying = way(type, own.signal).then(() => begun, (error) => {
    if (!(error instanceof DOMException)) throw error;
    return isHeard || signal.aborted; // else the browser takes no such parts
  });
  const isGood = await Promise.race([begun, saying]);
  if (isGood) return saying;
  own.abort();
  saying.catch(() => {});
  silence();
  return false;
}

/** Whether the server has said every text, so that no more sound will come. */
async function isServerDone() {
  const state = await asked("health").then((answer) => answer.json()).catch(() => null);
  return state?.texts === 0;
}

const post = (url, signal) => asked(url, {
  method: "POST", headers: { "Content-Type": "application/json" }, body: body(), signal,
});

async function sayInParts(type, signal) {
  const answer = await post("v1/audio/speech", signal);
  const source = new MediaSource();
  await playFrom(URL.createObjectURL(source), (begin) => source.addEventListener("sourceopen", begin, { once: true }));
  const buffer = source.addSourceBuffer(type);
  if (buffer.mode !== "sequence") buffer.mode = "sequence";
  // All is read at once, so that the server need not wait for this browser; what is compressed is small.
  const parts = [];
  let [isOver, isWhole] = [false, true];
  let wake = () => {};
  const reading = (async () => {
    for (const reader = answer.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      wake();
    }
  })().catch(() => { isWhole = false; }).finally(() => { isOver = true; wake(); });
  for (;;) {
    if (signal.aborted) break;
    const ahead = buffer.buffered.length ? buffer.buffered.end(buffer.buffered.length - 1) - sound.currentTime : 0;
    if (parts.length && ahead < AHEAD_S) await append(buffer, parts.shift());
    else if (!parts.length && isOver) break;
    else await Promise.race([new Promise((woken) => { wake = woken; }), once(sound, "timeupdate"), once(signal, "abort")]);
  }
  await reading;
  if (source.readyState === "open") source.endOfStream();
  if (!isWhole && !signal.aborted) byId("problem").textContent = TOO_EARLY; // what came is heard
}

async function append(buffer, part) {
  const begin = sound.currentTime - KEPT_S;
  if (begin > 0 && buffer.buffered.length && buffer.buffered.start(0) < begin - KEPT_S) {
    buffer.remove(0, begin);
    await once(buffer, "updateend");
  }
  buffer.appendBuffer(part);
  await once(buffer, "updateend");
}

async function sayByAddress(_type, signal) {
  const { url } = await (await post("play", signal)).json();
  await playFrom(url, (begin) => begin());
}

/** For a browser that wants to seek in a stream: WebKitGTK does in Opus. */
async function sayWhole(type, signal) {
  const sounds = await (await post("v1/audio/speech", signal)).arrayBuffer();
  await playFrom(URL.createObjectURL(new Blob([sounds], { type })), (begin) => begin());
}

/** Begin to play a source; resolves once `ready` has called back. */
function playFrom(url, ready) {
  return new Promise((begin) => {
    sound.src = url;
    play();
    ready(begin);
  });
}

const play = () => sound.play().catch((error) => {
  if (error.name === "NotAllowedError") show("Press play to hear it.");
});

const once = (target, event) => new Promise((done) => target.addEventListener(event, done, { once: true }));

/** End what is being said: the server hears of it, and renders no more of it. */
function stop() {
  attempt?.abort();
  attempt = null;
  silence();
  show("");
}

function silence() {
  sound.pause();
  const old = sound.src;
  sound.removeAttribute("src");
  sound.load();
  if (old.startsWith("blob:")) URL.revokeObjectURL(old);
}

function show(words) {
  byId("state").textContent = words;
  byId("problem").textContent = "";
  byId("stop").disabled = !attempt;
}

function fail(words) {
  stop();
  byId("problem").textContent = words;
}

sound.addEventListener("ended", () => {
  attempt?.abort();
  attempt = null;
  byId("stop").disabled = true;
});
sound.addEventListener("error", () => {
  if (attempt && isHeard && sound.error) fail(TOO_EARLY);
});
byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  say();
});
byId("stop").addEventListener("click", () => {
  stop();
  byId("say").focus();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && attempt) stop();
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) byId("form").requestSubmit();
});
const refresh = () => showModels().catch((error) => fail(error.message));
byId("model").addEventListener("change", () => showVoices().catch((error) => fail(error.message)));
byId("key")?.addEventListener("change", refresh);
if (!byId("key")) refresh();
