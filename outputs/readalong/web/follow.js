// Scrolling along with the voice, calmly, until the reader scrolls away.
// Lengths are measured from the edge where text begins: the top, or the right if it is vertical.

const topBar = document.querySelector(".bar.top");
const playerBar = document.querySelector(".bar.player");
const returnButton = byId("return");
const wantsLessMotion = matchMedia("(prefers-reduced-motion: reduce)");
let isFollowing = true;
let movingUntil = 0; // when our own scrolling is over, so that it may be followed by another
let ownScrollUntil = 0; // as long as it sends events, which no reader has caused
let readerScrolledAt = -Infinity;

function follows(whether) {
  isFollowing = whether;
  returnButton.hidden = whether || !litSpans.length;
}

/** The start and length of the space between the bars. */
function space() {
  if (isVertical) return { start: 0, length: book.clientWidth };
  const start = Math.max(topBar.getBoundingClientRect().bottom, 0); // on a low screen it scrolls away
  return { start, length: innerHeight - start - playerBar.offsetHeight };
}

/** Where a rectangle begins and ends in that space, as parts of its length. */
function partsOf(rect) {
  const { start, length } = space();
  const [near, far] = isVertical
    ? [book.getBoundingClientRect().right - rect.right, book.getBoundingClientRect().right - rect.left]
    : [rect.top - start, rect.bottom - start];
  return { near: near / length, far: far / length, length };
}

function scrollAlong(isNewSentence, range) {
  const now = performance.now();
  // Not while the reader holds the scroll bar, nor while the last movement is going on.
  if (!isFollowing || now < movingUntil || now - readerScrolledAt < 800) return;
  const target = range ?? litSpans[0];
  if (!target) return;
  const { near, far } = partsOf(firstBox(target));
  const isOut = near < 0.02 || far > 0.82;
  // A sentence that would leave the space while it sounds is moved when it begins.
  const willLeave = isNewSentence && near > 0.4 && partsOf(lastBox(litSpans.at(-1))).far > 0.82;
  if (isOut || willLeave) bringToView(target);
}

const firstBox = (target) => target.getClientRects()[0] ?? target.getBoundingClientRect();
const lastBox = (target) => [...target.getClientRects()].at(-1) ?? target.getBoundingClientRect();

/** Scroll so that a line stands in the upper third. */
function bringToView(target) {
  const { near, length } = partsOf(firstBox(target));
  const distance = (near - 0.24) * length;
  const isFar = Math.abs(distance) > 1.2 * length;
  scrollAcross(distance, !isFar && !wantsLessMotion.matches);
  movingUntil = performance.now() + (isFar ? 0 : 600);
  // Sections that come to view get their true height, and move the line.
  if (isFar) settle(target, 12);
}

function settle(target, framesLeft) {
  if (!framesLeft || !isFollowing) return;
  requestAnimationFrame(() => {
    const { near, length } = partsOf(firstBox(target));
    if (Math.abs(near - 0.24) * length > 2) scrollAcross((near - 0.24) * length, false);
    settle(target, framesLeft - 1);
  });
}

function scrollAcross(distance, isSmooth) {
  const behavior = isSmooth ? "smooth" : "instant";
  ownScrollUntil = performance.now() + 900;
  if (isVertical) book.scrollBy({ left: -distance, behavior });
  else scrollBy({ top: distance, behavior });
}

function returnToVoice() {
  follows(true);
  readerScrolledAt = -Infinity;
  const [first] = litSpans;
  if (first) bringToView(first);
}

function scrolledAway() {
  readerScrolledAt = performance.now();
  if (isFollowing && litSpans.length) follows(false);
}

/** A scroll that no wheel, finger or key explains: the scroll bar, or a browser's own search. */
function noticeScroll() {
  const now = performance.now();
  if (now < ownScrollUntil || !litSpans.length || !isFollowing) return;
  const { near, far } = partsOf(litSpans[0].getBoundingClientRect());
  if (far < 0 || near > 1) scrolledAway();
}

function listenToScrolling() {
  const scroller = isVertical ? book : document;
  const passive = { passive: true };
  const isOfText = (event) => book.contains(event.target) || event.target === document.documentElement;
  addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.target.closest?.("dialog, .bar")) scrolledAway();
  }, passive);
  addEventListener("touchmove", (event) => isOfText(event) && scrolledAway(), passive);
  scroller.addEventListener("scroll", noticeScroll, passive);
  if (!isVertical) return;
  // The wheel turns down; the text goes left.
  book.tabIndex = 0;
  book.addEventListener("wheel", (event) => {
    if (!event.deltaX && !event.ctrlKey) book.scrollBy({ left: -event.deltaY });
  }, passive);
}
