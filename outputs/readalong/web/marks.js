// What is lit: the sentence by a class on its spans, the word by a highlight that changes no DOM.

const wordMark = highlightNamed("word");
const foundMark = highlightNamed("found");
let litSpans = [];

/** A highlight of the CSS Custom Highlight API, or null where the browser has none. */
function highlightNamed(name) {
  if (!window.Highlight || !CSS.highlights) return null;
  const highlight = new Highlight();
  CSS.highlights.set(name, highlight);
  return highlight;
}

/** The first and last clip of a document that belong to the sentence of one of them. */
function sentenceAround(doc, index) {
  let [first, last] = [index, index];
  while (first > 0 && doc.clips[first].isJoined) first--;
  while (doc.clips[last + 1]?.isJoined) last++;
  return [first, last];
}

function lightSentence(doc, index) {
  const [first, last] = sentenceAround(doc, index);
  const spans = [];
  for (let one = first; one <= last; one++) {
    const span = elementOf(doc.first + one);
    if (span) spans.push(span);
  }
  for (const span of litSpans) if (!spans.includes(span)) span.classList.remove("lit");
  for (const span of spans) span.classList.add("lit");
  litSpans = spans;
}

/** Mark a word of a span; its range, or null if there is none. */
function markWord(span, word) {
  const range = span && word ? rangeIn(span, word.from, word.to) : null;
  wordMark?.clear();
  for (const lit of litSpans) lit.classList.toggle("again"); // its style sheet says why
  if (range && looks.words) wordMark?.add(range);
  return range;
}

/** A range over some UTF-16 units of an element's text; null if the text is shorter. */
function rangeIn(element, from, to) {
  const range = document.createRange();
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let isStarted = false;
  for (let node = walker.nextNode(), start = 0; node; node = walker.nextNode()) {
    const end = start + node.length;
    if (!isStarted && from < end) {
      range.setStart(node, from - start);
      isStarted = true;
    }
    if (isStarted && to <= end) {
      range.setEnd(node, to - start);
      return range;
    }
    start = end;
  }
  return null;
}
