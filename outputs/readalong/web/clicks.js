// Playing from the word that was clicked or tapped.

const NOT_TEXT = "a, button, summary, input, select, textarea, label, audio, video, [contenteditable]";
const SLACK_PX = 10; // between two lines a finger means the nearer one
const LONG_PRESS_MS = 500; // a finger that stays selects text: some browsers send a click after it
let hadSelection = false;
let fingerAt = Infinity; // when it came down; a mouse may stay

function listenToClicks() {
  book.addEventListener("pointerdown", (event) => {
    hadSelection = !getSelection().isCollapsed;
    fingerAt = event.pointerType === "mouse" ? Infinity : event.timeStamp;
  });
  book.addEventListener("click", playFromPoint);
}

async function playFromPoint(event) {
  // A click that ends or drops a selection is about the selection.
  if (event.button || event.target.closest(NOT_TEXT)) return;
  if (hadSelection || !getSelection().isCollapsed) return;
  if (event.timeStamp - fingerAt >= LONG_PRESS_MS) return;
  const picture = event.target.closest("[data-clip]");
  const spot = picture ? { element: picture, offset: 0 } : spotAt(event.clientX, event.clientY);
  if (spot) await playFromSpot(spot.element, spot.offset);
}

async function playFromSpot(element, offset) {
  const clip = Number(element.dataset.clip ?? element.id.slice(1));
  const doc = documentOf(clip);
  await loadTimes(doc).catch(() => {}); // playFrom tells it
  const words = doc.clips ? wordsOf(doc.clips[clip - doc.first]) : [];
  const word = words[lastAtMost(words, offset, (one) => one.from)];
  return playFrom(clip, word?.at ?? 0);
}

/** The span of a clip at a point, and the offset in its text; null beside the text. */
function spotAt(x, y) {
  const [node, offset] = caretAt(x, y);
  const span = spanAround(node);
  if (!span) return null;
  const isNear = [...span.getClientRects()].some((rect) =>
    x > rect.left - SLACK_PX && x < rect.right + SLACK_PX &&
    y > rect.top - SLACK_PX && y < rect.bottom + SLACK_PX);
  if (!isNear) return null;
  // The caret is behind a character whose second half was clicked.
  const isBehind = offset > 0 && node.nodeType === Node.TEXT_NODE && coversPoint(node, offset - 1, x, y);
  return { element: span, offset: offsetIn(span, node, isBehind ? offset - 1 : offset) };
}

function coversPoint(node, at, x, y) {
  const range = document.createRange();
  range.setStart(node, at);
  range.setEnd(node, at + 1);
  const { left, right, top, bottom } = range.getBoundingClientRect();
  return x >= left && x <= right && y >= top && y <= bottom;
}

function caretAt(x, y) {
  if (document.caretPositionFromPoint) {
    const caret = document.caretPositionFromPoint(x, y);
    return [caret?.offsetNode, caret?.offset];
  }
  const range = document.caretRangeFromPoint?.(x, y);
  return [range?.startContainer, range?.startOffset];
}

/** The span of a clip around a node: no other id in the text begins with this letter. */
function spanAround(node) {
  const element = node?.nodeType === Node.TEXT_NODE ? node.parentElement : node;
  return element?.closest?.("#book [id^='s']");
}

/** How many UTF-16 units of the span's text stand before a place in it. */
function offsetIn(span, node, offset) {
  const range = document.createRange();
  range.setStart(span, 0);
  range.setEnd(node, offset);
  return range.toString().length;
}
