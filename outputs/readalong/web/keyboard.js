// Keys of the whole page, where nothing is typed and no dialog is open.

const isBackward = book.dir === "rtl" || isVertical; // text goes on to the left
const SCROLL_KEYS = new Set(["PageUp", "PageDown", "Home", "End", "ArrowUp", "ArrowDown"]);
const ACTIONS = {
  play: () => (isWanted ? pause() : play()),
  "previous-sentence": () => skipSentence(-1),
  "next-sentence": () => skipSentence(1),
  "previous-chapter": () => skipChapter(-1),
  "next-chapter": () => skipChapter(1),
  return: returnToVoice,
  close: () => openDialog().close(),
};
const SINGLE_KEYS = {
  "[": ACTIONS["previous-chapter"], "]": ACTIONS["next-chapter"],
  j: () => skipSeconds(-10), l: () => skipSeconds(10), k: ACTIONS.play,
  "-": () => setRate(looks.rate - 0.1), "+": () => setRate(looks.rate + 0.1), "=": () => setRate(looks.rate + 0.1),
  v: returnToVoice, c: () => openNamed("contents"), "/": () => openNamed("search"),
  a: () => openNamed("looks"), t: () => openNamed("sleep"), "?": () => openNamed("help"),
};

function actionOf(event) {
  const step = (event.key === "ArrowRight" ? 1 : -1) * (isBackward ? -1 : 1);
  if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
    return () => (event.shiftKey ? skipWord(step) : skipSentence(step));
  }
  if (event.key === " ") return ACTIONS.play;
  return looks.keys ? SINGLE_KEYS[event.key] : undefined;
}

/** Whether something of a kind has the focus. In a dialog that was just closed it has it no more. */
const hasFocus = (kind) => document.activeElement?.matches(`:is(${kind}):not(dialog *)`);

function listenToKeys() {
  for (const button of document.querySelectorAll("[data-does]")) {
    const name = button.dataset.does;
    button.addEventListener("click", ACTIONS[name] ?? (() => openNamed(name)));
  }
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey || openDialog()) return;
    if ((event.ctrlKey || event.metaKey) && event.key === "f") scrolledAway();
    if (event.ctrlKey || event.metaKey || hasFocus("input, select, textarea")) return;
    if (SCROLL_KEYS.has(event.key)) return pageThrough(event);
    // A button or a link does what it does by space.
    if (event.key === " " && hasFocus("button, a, summary")) return;
    const action = actionOf(event);
    if (!action) return;
    event.preventDefault();
    action();
  });
}

function pageThrough(event) {
  scrolledAway();
  const pages = { PageUp: -0.9, PageDown: 0.9 }[event.key];
  if (isVertical && pages) book.scrollBy({ left: -pages * book.clientWidth });
}
