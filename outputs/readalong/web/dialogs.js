// Dialogs: contents, search, type and colours, speed, sleep, keys.

// Where the focus begins: at what is chosen now. Else the browser gives it to the first button.
const FIRST_FOCUS = "#query, [aria-current], [type=radio]:checked, [aria-pressed=true]";

const openDialog = () => document.querySelector("dialog[open]");

function openNamed(name) {
  const dialog = byId(`${name}-dialog`);
  openDialog()?.close();
  dialog.showModal();
  const choice = dialog.querySelector(FIRST_FOCUS);
  choice?.focus();
  choice?.scrollIntoView({ block: "center" });
}

function listenToDialogs() {
  byId("contents-dialog").append(byId("contents"));
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", (event) => {
      const { left, right, top, bottom } = dialog.getBoundingClientRect();
      const isBeside = event.clientX < left || event.clientX > right || event.clientY < top || event.clientY > bottom;
      // A key's click has no place: 0, 0.
      if (event.target === dialog && isBeside && event.detail) dialog.close();
    });
  }
  for (const button of document.querySelectorAll("[data-sleep]")) {
    button.addEventListener("click", () => {
      chooseSleep(button.dataset.sleep);
      byId("sleep-dialog").close();
    });
  }
  byId("contents").addEventListener("click", goToLink);
  book.addEventListener("click", (event) => {
    if (event.target.closest("a[href^='#']")) follows(false);
  });
  addEventListener("hashchange", () => goToHash(location.hash));
}

function goToLink(event) {
  const link = event.target.closest("a");
  if (!link) return;
  byId("contents-dialog").close();
  // The same address once more is no change of it.
  if (location.hash === link.hash) goToHash(link.hash);
}

/** The voice goes to what is spoken there; the page alone goes to what is silent. */
function goToHash(hash) {
  const clip = clipOfHash(hash);
  if (clip === null) {
    follows(false);
    document.querySelector(":target")?.scrollIntoView();
    return null;
  }
  follows(true);
  return goTo(clip).then(returnToVoice);
}
