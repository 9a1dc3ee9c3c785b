// What the bars show, and what the system's own controls are told.

const TEXT_NAME = document.body.dataset.text ?? "book"; // what people call the text: an episode
const slider = byId("position");
let isSliding = false;
let shownSecond = -1;
let shownChapter = null;

/** 3725000 as "1:02:05". */
function clock(ms) {
  const seconds = Math.max(Math.floor(ms / 1000), 0);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = `${String(seconds % 60).padStart(2, "0")}`;
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

/** 3725000 as "1 h 2 min". */
function duration(ms) {
  const minutes = Math.max(Math.round(ms / 60_000), 1);
  const hours = Math.floor(minutes / 60);
  return hours ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}

function chapterSpan() {
  const index = chapters.indexOf(chapterOf(clipNow()));
  const start = startOfClip(chapters[index].clip);
  return { chapter: chapters[index], start, end: startOfClip(chapters[index + 1]?.clip ?? Infinity) };
}

/** Once a second, or when asked. */
function showClocks(isForced) {
  const at = bookMsNow();
  const second = Math.floor(at / 1000);
  if (second === shownSecond && !isForced) return;
  shownSecond = second;
  const { chapter, start, end } = chapterSpan();
  if (chapter !== shownChapter) showChapter(chapter);
  slider.max = Math.max(Math.ceil((end - start) / 1000), 1);
  if (!isSliding) {
    slider.value = Math.round((at - start) / 1000);
    showSlider(at - start, end - start);
  }
  byId("left-in-book").textContent = `${duration((bookMs - at) / looks.rate)} left in the ${TEXT_NAME}`;
  if (isForced) tellSystem();
}

function showSlider(into, length) {
  byId("elapsed").textContent = clock(into);
  byId("remaining").textContent = clock(length);
  slider.setAttribute("aria-valuetext", `${clock(into)} of ${clock(length)}`);
  slider.style.setProperty("--part", `${Math.min((100 * into) / Math.max(length, 1), 100)}%`);
}

function showChapter(chapter) {
  shownChapter?.link?.removeAttribute("aria-current");
  chapter.link?.setAttribute("aria-current", "true");
  shownChapter = chapter;
  byId("place-chapter").textContent = chapter.title === bookTitle() ? "" : chapter.title;
  byId("status").textContent = chapter.title;
  if (!navigator.mediaSession) return;
  const cover = book.querySelector("header.title img");
  navigator.mediaSession.metadata = new MediaMetadata({
    title: chapter.title,
    artist: book.querySelector("header.title .author")?.textContent ?? "",
    album: bookTitle(),
    artwork: cover && location.protocol !== "file:" ? [{ src: cover.src }] : [],
  });
}

function showPlaying() {
  const button = byId("play");
  button.setAttribute("aria-label", isWanted ? "Pause" : "Play");
  button.classList.toggle("plays", isWanted);
  if (navigator.mediaSession) navigator.mediaSession.playbackState = isWanted ? "playing" : "paused";
}

/** Where the voice is in the chapter: the system counts on from there as long as it plays. */
function tellSystem() {
  if (!place.doc) return;
  const { start, end } = chapterSpan();
  navigator.mediaSession?.setPositionState?.({
    duration: (end - start) / 1000,
    position: Math.min(Math.max(bookMsNow() - start, 0), end - start) / 1000,
    playbackRate: looks.rate,
  });
}

function listenToSystem() {
  for (const name of ["playing", "pause", "seeked"]) voice.addEventListener(name, tellSystem);
  const actions = {
    play, pause, stop: pause,
    previoustrack: () => skipChapter(-1), nexttrack: () => skipChapter(1),
    seekbackward: (details) => skipSeconds(-(details.seekOffset ?? 10)),
    seekforward: (details) => skipSeconds(details.seekOffset ?? 10),
    seekto: (details) => moveInChapter(details.seekTime),
  };
  for (const [action, handler] of Object.entries(actions)) {
    try {
      navigator.mediaSession?.setActionHandler(action, handler);
    } catch {
      // A browser that does not know an action throws.
    }
  }
}

function listenToSlider() {
  slider.addEventListener("input", () => {
    if (!place.doc) return;
    isSliding = true;
    const { start, end } = chapterSpan();
    showSlider(slider.value * 1000, end - start);
  });
  slider.addEventListener("change", () => {
    isSliding = false;
    moveInChapter(slider.value);
  });
}

const isEpisode = TEXT_NAME === "episode";
const PROBLEMS = {
  times: "The times of this chapter could not be loaded. Is the folder “times” beside this page, whole?",
  audio: isEpisode
    ? "The audio of this episode could not be loaded. Is its file beside this page, whole?"
    : "The audio of this chapter could not be loaded. Is the folder “audio” beside this page, whole?",
  codec: `This browser has no decoder for ${isEpisode ? "MP3" : "AAC"} audio. Open the page in another one, or install its codecs.`,
};
const AUDIO_TYPE = isEpisode ? "audio/mpeg" : 'audio/mp4; codecs="mp4a.40.2"';

function showProblem(name) {
  const hasDecoder = voice.canPlayType(AUDIO_TYPE);
  byId("problem").textContent = PROBLEMS[name === "audio" && !hasDecoder ? "codec" : name];
  isWanted = false;
  showPlaying();
}
