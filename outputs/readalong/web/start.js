// The beginning: this file is the last by its name, so all others are there.

function start() {
  applyLooks();
  readDocuments();
  readChapters();
  document.documentElement.classList.add("js");
  byId("place-book").textContent = bookTitle();
  listenToDialogs();
  listenToLooks();
  listenToSearch();
  listenToKeys();
  listenToScrolling();
  if (!documents.length) {
    document.documentElement.classList.add("silent");
    return;
  }
  listenToVoice();
  listenToRate();
  listenToSlider();
  listenToSystem();
  listenToClicks();
  chooseSleep("");
  goToFirstPlace();
}

/** Where the address points, unless this is a reload; else where the reader was, or the beginning. */
function goToFirstPlace() {
  const [navigation] = performance.getEntriesByType("navigation");
  const hash = navigation?.type === "navigate" ? location.hash : "";
  if (clipOfHash(hash) !== null) return goToHash(hash);
  const remembered = recall(PLACE_KEY);
  const clip = clipRemembered(remembered);
  if (clip !== null && !hash) return goTo(clip, remembered.ms).then(returnToVoice);
  isFollowing = false; // it opens at its title, even if that is not spoken, or at a silent place
  return goTo(clip ?? 0, remembered.ms).then(() => follows(!hash));
}

start();
