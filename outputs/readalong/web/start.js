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

/** Where the address points, else where the reader was, else the beginning, which is not lit. */
function goToFirstPlace() {
  const remembered = recall(PLACE_KEY);
  const isKnown = remembered.clip < clipCount();
  if (clipOfHash(location.hash) !== null) return goToHash(location.hash);
  if (isKnown && !location.hash) return goTo(remembered.clip, remembered.ms).then(returnToVoice);
  isFollowing = false; // it opens at its title, even if that is not spoken
  return goTo(0).then(() => follows(true));
}

start();
