// Search through the text, blind to case, accents, and how spaces, hyphens and quotes are written.

const BLOCKS = "p, li, h1, h2, h3, h4, h5, h6, td, th, dt, dd, caption, figcaption, pre, div, section";
const LISTED = 200;
// Those that have no base letter by Unicode; the others are added when they are met.
const foldedCharacters = new Map(
  ["“\"", "”\"", "„\"", "’'", "‘'", "–-", "ςσ", "łl", "Łl", "øo", "Øo", "đd", "Đd", "ıi"].map((pair) => [...pair]));
let searchIndex = null;
let searchDelay = 0;

/** A text in small letters without accents, of the same length, so that offsets stay true. */
function fold(text) {
  return text.replace(/[^\x00-\x7f]/g, foldCharacter).toLowerCase();
}

function foldCharacter(character) {
  if (!foldedCharacters.has(character)) {
    foldedCharacters.set(character, character.normalize("NFD")[0].toLowerCase()[0]);
  }
  return foldedCharacters.get(character);
}

/** A pattern that finds a query in folded text. */
function patternOf(query) {
  const characters = [...fold(query.normalize("NFC").trim().replace(/\s+/g, " "))];
  const parts = characters.map((one) => (one === " " ? "\\s+" : one.replace(/[\\^$.*+?()[\]{}|/-]/u, "\\$&")));
  return new RegExp(parts.join("[\\p{M}\u00ad]*"), "gu");
}

/** The text of all sections with its nodes, read once; what stands over ruby is left out. */
function indexBook() {
  return [...book.children].map((section) => {
    const [nodes, starts] = [[], []];
    const walker = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
    let [text, lastBlock] = ["", null];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (parent.localName === "rt" || parent.localName === "rp") continue;
      const block = parent.closest(BLOCKS);
      if (block !== lastBlock && text) text += "\n";
      lastBlock = block;
      nodes.push(node);
      starts.push(text.length);
      text += node.data;
    }
    return { section, text, folded: fold(text), nodes, starts };
  });
}

/** All places of a query: the entry of the index, from and to. */
function searchFor(query) {
  searchIndex ??= indexBook();
  const pattern = patternOf(query);
  return searchIndex.flatMap((entry) =>
    [...entry.folded.matchAll(pattern)].map((match) => ({
      entry, from: match.index, to: match.index + match[0].length,
    })));
}

function showResults() {
  const query = byId("query").value;
  const found = query.trim() ? searchFor(query) : [];
  byId("results").replaceChildren(...found.slice(0, LISTED).map(resultItem));
  const count = found.length === 1 ? "1 place" : `${found.length.toLocaleString()} places`;
  const rest = found.length > LISTED ? `, the first ${LISTED} are listed` : "";
  byId("found").textContent = query.trim() ? count + rest : "";
}

function resultItem({ entry, from, to }) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  const mark = document.createElement("mark");
  const start = Math.max(entry.text.lastIndexOf(" ", from - 30), from - 45, 0);
  const end = entry.text.indexOf(" ", to + 50) < 0 ? to + 60 : Math.min(entry.text.indexOf(" ", to + 50), to + 80);
  mark.textContent = entry.text.slice(from, to);
  button.type = "button";
  button.lang = entry.section.lang || book.lang;
  button.dir = book.dir;
  button.append(entry.text.slice(start, from), mark, entry.text.slice(to, end));
  button.addEventListener("click", (event) => showPlace(rangeOfPlace(entry, from, to), event.shiftKey));
  item.append(button);
  return item;
}

function rangeOfPlace({ nodes, starts }, from, to) {
  const range = document.createRange();
  const first = lastAtMost(starts, from, (start) => start);
  const last = lastAtMost(starts, to - 1, (start) => start);
  range.setStart(nodes[first], from - starts[first]);
  range.setEnd(nodes[last], Math.min(to - starts[last], nodes[last].length));
  return range;
}

function showPlace(range, plays) {
  byId("search-dialog").close();
  foundMark?.clear();
  foundMark?.add(range);
  const span = spanAround(range.startContainer);
  if (plays && span) return playFromSpot(span, offsetIn(span, range.startContainer, range.startOffset));
  follows(false);
  range.startContainer.parentElement.scrollIntoView({ block: "center" });
  return null;
}

function listenToSearch() {
  const [query, dialog] = [byId("query"), byId("search-dialog")];
  query.addEventListener("input", () => {
    clearTimeout(searchDelay);
    searchDelay = setTimeout(showResults, 150);
  });
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      // At once, not only when the field is empty; and only this dialog, not the next one too.
      event.preventDefault();
      return dialog.close();
    }
    if (event.key === "Enter" && event.shiftKey && event.target.closest("#results")) {
      // Firefox leaves the shift out of the click that it makes of a key.
      event.preventDefault();
      return event.target.dispatchEvent(new MouseEvent("click", { bubbles: true, shiftKey: true }));
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return undefined;
    event.preventDefault();
    const stops = [query, ...byId("results").querySelectorAll("button")];
    stops[Math.min(Math.max(stops.indexOf(document.activeElement) + step, 0), stops.length - 1)].focus();
  });
}
