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
