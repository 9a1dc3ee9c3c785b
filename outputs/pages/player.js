"use strict";
// Makes all places of a page play: a link the file that it leads to, other places the audio's own.
const playPlaces = (audio) => {
  // A position that is asked for before the audio is loaded has to wait until it is.
  const jump = (seconds) => {
    const go = () => { audio.currentTime = seconds; };
    if (audio.readyState > 0) go();
    else audio.addEventListener("loadedmetadata", go, { once: true });
    return audio.play();
  };
  document.addEventListener("click", (event) => {
    const place = event.target.closest("[data-at]");
    if (!place || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // Whoever selects words does not want to hear them.
    if (place.tagName !== "A" && String(getSelection())) return;
    event.preventDefault();
    const file = place.href?.split("#")[0] ?? audio.src;
    if (file !== audio.src) audio.src = file;
    jump(Number(place.dataset.at)).catch((error) => {
      // A format that the browser does not play may be one of another program.
      if (error.name === "NotSupportedError" && place.href) location.assign(place.href);
    });
  });
};
