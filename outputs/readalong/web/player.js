// The voice: where it is, how it gets from file to file, and what follows from each frame.

const voice = byId("voice");
const warmer = new Audio(); // fetches the next file ahead; it never sounds
// doc and index: the clip that sounds; ms: how far it has sounded.
const place = { doc: null, index: 0, ms: 0 };
const EARLY_MS = 5; // a place that was sought may come back a hair too early
let isWanted = false; // that it plays: also while files change
let soughtSeconds = null; // where to begin once the file is known
let triesLeft = 0;
let lastRequest = 0;
let shownWord = null;
let loadedUrl = ""; // the file that the voice has, or is getting
let fetchedUrl = ""; // the file that is being copied
let wholeUrl = ""; // its copy in memory, if the server cannot send parts

const clipNow = () => place.doc.first + place.index;
const bookMsNow = () => place.doc.startMs + place.doc.clips[place.index].at + place.ms;
const urlOf = (doc, index) => doc.audio[doc.clips[index].file];

/** Move to a clip of the book, and some milliseconds into it. It goes on playing if it played. */
async function goTo(clip, ms = 0) {
  const request = ++lastRequest;
  const doc = documentOf(Math.min(Math.max(clip, 0), clipCount() - 1));
  try {
    await loadTimes(doc);
  } catch {
    if (request === lastRequest) showProblem("times");
    return;
  }
  // Who clicks twice wants the second place only.
  if (request !== lastRequest) return;
  const index = Math.min(Math.max(clip - doc.first, 0), doc.clips.length - 1);
  const { start, end } = doc.clips[index];
  seek(doc, index, Math.min(ms, Math.max(end - start - 50, 0)));
}

async function goToBookMs(ms) {
  const doc = documentAt(Math.min(Math.max(ms, 0), bookMs - 1));
  await loadTimes(doc).catch(() => {}); // goTo tells it
  if (!doc.clips) return goTo(doc.first);
  const index = lastAtMost(doc.clips, ms - doc.startMs, (clip) => clip.at);
  return goTo(doc.first + index, Math.max(ms - doc.startMs - doc.clips[index].at, 0));
}

function playFrom(clip, ms = 0) {
  isWanted = true;
  follows(true);
  return goTo(clip, ms);
}

function seek(doc, index, ms) {
  const clip = doc.clips[index];
  const url = urlOf(doc, index);
  soughtSeconds = (clip.start + ms) / 1000;
  triesLeft = 5;
  if (loadedUrl !== url || voice.error) load(url, url);
  loadTimesAfter(doc);
  startSeeking();
  show(doc, index, ms);
  if (isWanted) play();
}

/** `source` is where the file is read: its address, or a copy of it in memory. */
function load(url, source) {
  loadedUrl = url;
  URL.revokeObjectURL(wholeUrl);
  wholeUrl = source === url ? "" : source;
  voice.src = source;
}

function startSeeking() {
  if (soughtSeconds === null || voice.readyState < HTMLMediaElement.HAVE_METADATA) return;
  // A file may be a little shorter than its last clip.
  const isSeekable = voice.seekable.length && voice.seekable.end(0) + 1 > soughtSeconds;
  if (!isSeekable && soughtSeconds > 0) {
    if (!wholeUrl) loadWhole(loadedUrl);
    return;
  }
  triesLeft -= 1;
  voice.currentTime = soughtSeconds;
}

/** WebKit may stay where it was in a copy in memory, until it plays: then it is sought once more. */
function endSeeking() {
  const isThere = Math.abs(voice.currentTime - soughtSeconds) < 1;
  if (isThere || triesLeft <= 0) soughtSeconds = null;
  tick();
}

/** Get a file whole: its server sends it only from its beginning, so no place could be sought. */
async function loadWhole(url) {
  if (fetchedUrl === url) return;
  fetchedUrl = url;
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(response.statusText);
    const content = await response.blob();
    if (loadedUrl !== url) return;
    load(url, URL.createObjectURL(content));
    if (isWanted) play();
  } catch {
    showProblem("audio");
  } finally {
    fetchedUrl = "";
  }
}

/** The times of the next document are there before they are needed. */
function loadTimesAfter(doc) {
  const next = documents[doc.index + 1];
  if (next && doc !== place.doc) loadTimes(next).catch(() => {});
}

function play() {
  isWanted = true;
  byId("problem").textContent = "";
  if (!place.doc) return playFrom(0);
  if (voice.error) return playFrom(clipNow(), place.ms);
  // Played to the end: from the beginning again.
  if (voice.ended && isAtEnd()) return playFrom(0);
  voice.play().catch((error) => {
    // The browser wants a click first; other failures come as an `error` of the element.
    if (error.name === "NotAllowedError") pause();
  });
  showPlaying();
}

function pause() {
  isWanted = false;
  voice.pause();
  showPlaying();
  rememberPlace();
}

const isAtEnd = () => clipNow() === clipCount() - 1;

const stopsBefore = (clip) => stopsAtChapterEnd() && chapterOf(clip) !== chapterOf(clipNow());

let nextFrame = 0;
function tickEachFrame() {
  cancelAnimationFrame(nextFrame);
  tick();
  if (!voice.paused) nextFrame = requestAnimationFrame(tickEachFrame);
}

/** Show what sounds now. */
function tick() {
  if (soughtSeconds !== null || voice.seeking || !place.doc?.clips) return;
  const { doc, index } = place;
  const run = doc.runs[doc.clips[index].file];
  const ms = voice.currentTime * 1000;
  const found = lastAtMost(doc.clips, ms + EARLY_MS, (clip) => clip.start, run.from, run.to);
  const clip = doc.clips[found];
  if (found === run.to - 1 && ms + EARLY_MS >= clip.end && goesOnInSameFile(doc, found)) return;
  if (stopsBefore(doc.first + found)) return stopAt(doc, found);
  show(doc, found, Math.max(ms - clip.start, 0));
  if (voice.duration - voice.currentTime < 60) warmNext(doc, run);
}

/** Whether the next document sounds from the same file, and has been entered. */
function goesOnInSameFile(doc, index) {
  const next = documents[doc.index + 1];
  if (index + 1 < doc.clips.length || !next?.clips) return false;
  if (urlOf(next, 0) !== urlOf(doc, index)) return false;
  if (stopsBefore(next.first)) stopAt(next, 0);
  else {
    loadTimesAfter(next);
    show(next, 0, 0);
  }
  return true;
}

function stopAt(doc, index) {
  pause();
  seek(doc, index, 0);
  chooseSleep("");
}

/** Fetch the file after this one, so that it starts at once. */
function warmNext(doc, run) {
  const next = run.to < doc.clips.length ? doc : documents[doc.index + 1];
  if (!next?.clips) return;
  const url = urlOf(next, next === doc ? run.to : 0);
  if (warmer.getAttribute("src") === url || loadedUrl === url) return;
  warmer.preload = "auto";
  warmer.src = url;
}

async function goOnAfterFile() {
  const { doc, index } = place;
  const next = doc.first + doc.runs[doc.clips[index].file].to;
  if (next >= clipCount()) return pause();
  if (stopsBefore(next)) {
    isWanted = false;
    chooseSleep("");
  }
  await goTo(next);
  showPlaying();
}

/** The index of the last word that has begun, or of the first. */
const indexAt = (words, ms) => lastAtMost(words, ms + EARLY_MS, (word) => word.at);

/** Light the sentence and mark the word, if they have changed. */
function show(doc, index, ms) {
  const isNewClip = doc !== place.doc || index !== place.index || !litSpans.length;
  Object.assign(place, { doc, index, ms });
  const words = wordsOf(doc.clips[index]);
  const last = words[indexAt(words, ms)];
  const word = last?.at <= ms + EARLY_MS ? last : null;
  if (isNewClip) lightSentence(doc, index);
  if (isNewClip || word !== shownWord) {
    shownWord = word;
    const range = markWord(elementOf(doc.first + index), word);
    scrollAlong(isNewClip, range);
  }
  showClocks(isNewClip);
}

/** Move to a place that depends on where the voice is. */
function moveFrom(target) {
  if (!place.doc) return play(); // nothing could be loaded so far
  follows(true);
  return target(place);
}

const skipSentence = (step) => moveFrom(({ doc, index, ms }) => {
  const [first, last] = sentenceAround(doc, index);
  const into = doc.clips[index].at - doc.clips[first].at + ms;
  if (step > 0) return goTo(doc.first + last + 1);
  // Back to the beginning of this one, or of the one before if this has just begun.
  if (into > 1500) return goTo(doc.first + first);
  if (first === 0) return goTo(doc.first - 1);
  return goTo(doc.first + sentenceAround(doc, first - 1)[0]);
});

const skipWord = (step) => moveFrom(({ doc, index, ms }) => {
  const words = wordsOf(doc.clips[index]);
  const target = words[indexAt(words, ms) + step];
  if (target) return goTo(clipNow(), target.at);
  const beside = doc.clips[index + step] ? wordsOf(doc.clips[index + step]) : [];
  return goTo(clipNow() + step, beside.at(step < 0 ? -1 : 0)?.at);
});

const skipChapter = (step) => moveFrom(() => {
  const index = chapters.indexOf(chapterOf(clipNow()));
  const into = bookMsNow() - startOfClip(chapters[index].clip);
  if (step < 0 && (into > 3000 || index === 0)) return goTo(chapters[index].clip);
  return chapters[index + step] && goTo(chapters[index + step].clip);
});

const skipSeconds = (seconds) => moveFrom(() => goToBookMs(bookMsNow() + seconds * 1000));
/** Seconds of the chapter. */
const moveInChapter = (seconds) => moveFrom(() => goToBookMs(chapterSpan().start + seconds * 1000));

function listenToVoice() {
  for (const name of ["loadedmetadata", "durationchange", "canplaythrough"]) voice.addEventListener(name, startSeeking);
  voice.addEventListener("playing", tickEachFrame);
  voice.addEventListener("seeked", endSeeking);
  voice.addEventListener("ended", goOnAfterFile);
  // Frames stop in a tab that is not seen; these do not.
  voice.addEventListener("timeupdate", () => {
    if (!voice.seeking) startSeeking();
    tick();
    if (Date.now() - rememberedAt > 2000) rememberPlace();
  });
  // Somebody else paused it: headphones that were pulled out, another app.
  voice.addEventListener("pause", () => {
    // It comes late: it may play again by then.
    if (isWanted && voice.paused && !voice.ended && soughtSeconds === null) pause();
  });
  voice.addEventListener("error", () => {
    // Some browsers play nothing at all from a server that cannot send parts.
    if (location.protocol !== "file:" && !wholeUrl) loadWhole(loadedUrl);
    else showProblem("audio");
  });
  addEventListener("pagehide", rememberPlace);
}
