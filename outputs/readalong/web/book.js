// The book: its narrated documents, the clips that sound in them, and its chapters.
// A position is in milliseconds of the whole book, as if all its audio were one file.

const byId = (id) => document.getElementById(id);
const book = byId("book");
const isVertical = book.classList.contains("vertical");
const documents = []; // in the order in which they sound
const chapters = []; // { clip, title, link }, by their first clip
let bookMs = 0;

window.readalong = {
  times: (number, data) => readClips(documents.find((doc) => doc.number === number), data),
};

function readDocuments() {
  for (const section of document.querySelectorAll("#book > section[data-count]")) {
    const { times, first, count, ms } = section.dataset;
    const number = Number(section.id.slice(1));
    const doc = { section, number, times, first: +first, count: +count, ms: +ms, clips: null };
    if (section.dataset.clips) readOwnTimes(doc);
    documents.push(doc);
  }
  documents.sort((one, other) => one.first - other.first);
  documents.forEach((doc, index) => {
    doc.index = index;
    doc.startMs = bookMs;
    bookMs += doc.ms;
    // A guess at its height keeps the scroll bar steady until it is laid out: some 15 characters
    // a second, half an em wide.
    const line = Math.min(looks.width, innerWidth / (0.18 * looks.size) - 2);
    doc.section.style.setProperty("--guess", `${Math.ceil((doc.ms * 0.013) / line)}em`);
  });
}

function readChapters() {
  const seen = new Set();
  for (const link of document.querySelectorAll("#contents a[href^='#']")) {
    const clip = clipOfHash(link.hash);
    if (clip === null || seen.has(clip)) continue;
    seen.add(clip);
    chapters.push({ clip, link, title: link.textContent.trim() });
  }
  if (documents.length && !seen.has(documents[0].first)) {
    chapters.push({ clip: documents[0].first, link: null, title: bookTitle() });
  }
  chapters.sort((one, other) => one.clip - other.clip);
}

function bookTitle() {
  return book.querySelector("header.title h1")?.textContent.trim() || document.title;
}

/** The index, from `low` on, of the last item whose value is at most the limit; `low` if none is. */
function lastAtMost(items, limit, valueOf, low = 0, end = items.length) {
  for (let high = end; high - low > 1; ) {
    const middle = (low + high) >> 1;
    if (valueOf(items[middle]) <= limit) low = middle;
    else high = middle;
  }
  return low;
}

const documentOf = (clip) => documents[lastAtMost(documents, clip, (doc) => doc.first)];
const documentAt = (ms) => documents[lastAtMost(documents, ms, (doc) => doc.startMs)];
const chapterOf = (clip) => chapters[lastAtMost(chapters, clip, (chapter) => chapter.clip)];
const clipCount = () => (documents.length ? documents.at(-1).first + documents.at(-1).count : 0);

/** The clip that an address means: #s120, or #d3 for the first of a document; else null. */
function clipOfHash(hash) {
  const [, kind, digits] = /^#([sd])(\d+)$/.exec(hash) ?? [];
  if (kind === "s") return Number(digits) < clipCount() ? Number(digits) : null;
  return documents.find((doc) => doc.number === Number(digits))?.first ?? null;
}

/** What is printed of a clip: its span, or the picture, drawing or formula of which it tells. */
const elementOf = (clip) => byId(`s${clip}`) ?? book.querySelector(`[data-clip="${clip}"]`);

/** Where a clip begins in the book; estimated as long as its document's times are not there. */
function startOfClip(clip) {
  if (clip >= clipCount()) return bookMs;
  const doc = documentOf(clip);
  const index = clip - doc.first;
  return doc.startMs + (doc.clips ? doc.clips[index].at : (doc.ms * index) / doc.count);
}

/** The times of a document, by a script: pages from a disk may read nothing else. */
function loadTimes(doc) {
  doc.loading ??= new Promise((resolve, reject) => {
    const fail = () => {
      doc.loading = null; // the next one to ask tries again
      reject(new Error(`${doc.times} could not be loaded`));
    };
    const script = document.createElement("script");
    script.src = doc.times;
    script.onload = () => (doc.clips?.length ? resolve() : fail());
    script.onerror = fail;
    document.head.append(script);
  });
  return doc.loading;
}

/** The times that the page itself has: those of a text with one file of audio. */
function readOwnTimes(doc) {
  const { audio, clips } = doc.section.dataset;
  readClips(doc, { audio: [audio], clips: JSON.parse(clips) });
  doc.loading = Promise.resolve();
}

/** Clips with `at`, their start in the document; `runs` has the clips of each file. */
function readClips(doc, data) {
  doc.audio = data.audio;
  doc.runs = data.audio.map(() => ({ from: Infinity, to: 0 }));
  let at = 0;
  let last = null;
  doc.clips = data.clips.map(([file, start, end, words, joined], index) => {
    if (last) at += (file === last.file ? start : last.end) - last.start;
    const run = doc.runs[file];
    run.from = Math.min(run.from, index);
    run.to = index + 1;
    last = { file, start, end, at, words, isJoined: joined === 1 };
    return last;
  });
}

/** The words of a clip: from and to in its span's text, and `at`, milliseconds in the clip. */
function wordsOf(clip) {
  if (clip.decoded) return clip.decoded;
  clip.decoded = [];
  for (let i = 0, end = 0, at = 0; i < clip.words.length; i += 3) {
    const from = end + clip.words[i];
    end = from + clip.words[i + 1];
    at += clip.words[i + 2];
    clip.decoded.push({ from, to: end, at });
  }
  return clip.decoded;
}
