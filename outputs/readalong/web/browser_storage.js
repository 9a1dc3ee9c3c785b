// What is remembered in this browser. It may refuse (private windows, pages from a disk): then
// the page only forgets.

const SETTINGS_KEY = "readalong";
const PLACE_KEY = `readalong:${document.body.dataset.book}`;

function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? {};
  } catch {
    return {};
  }
}

function remember(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Nothing depends on it.
  }
}

let rememberedAt = 0;
function rememberPlace() {
  rememberedAt = Date.now();
  if (!place.doc) return;
  const clip = clipNow();
  remember(PLACE_KEY, { clip, ms: Math.round(place.ms), words: wordsFrom(clip) });
}

/** The clip that was remembered, found by its words where a page that was made again has it. */
function clipRemembered({ clip, words }) {
  if (!(clip >= 0)) return null;
  for (let step = 0; step < clipCount(); step++) {
    for (const one of [clip + step, clip - step]) if (wordsFrom(one) === words) return one;
  }
  return clip < clipCount() ? clip : null;
}

/** The text of a clip and of the next one: “Yes.” alone is in many places. */
const wordsFrom = (clip) => [clip, clip + 1].map((one) => byId(`s${one}`)?.textContent ?? "").join(" ").slice(0, 200);
