(() => {
  const field = document.getElementById("feed");
  const button = document.querySelector("[data-copies]");
  const status = document.querySelector("[role=status]");
  if (field && button) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
        status.textContent = "Copied.";
      } catch {
        // Not every browser lets a page from a disk write to the clipboard.
        status.textContent = document.execCommand("copy") ? "Copied." : "Selected: now copy it.";
      }
    });
  }

  // One voice at a time.
  document.addEventListener("play", (event) => {
    for (const other of document.querySelectorAll("audio")) {
      if (other !== event.target) other.pause();
    }
  }, true);

  const audio = document.querySelector(".player audio");
  if (!audio) return;

  playPlaces(audio);

  // The last place of each list that has been reached: chapters, sentences, words.
  const sentences = ".transcript [lang] > [data-at]";
  const lists = [".chapters a", sentences, `${sentences} > [data-at]`].map((places) => {
    const elements = [...document.querySelectorAll(places)];
    return { elements, starts: elements.map((one) => Number(one.dataset.at)), now: -1 };
  });
  const mark = () => {
    for (const list of lists) {
      let low = 0;
      for (let high = list.starts.length; low < high;) {
        const middle = (low + high) >> 1;
        if (list.starts[middle] <= audio.currentTime + 0.01) low = middle + 1;
        else high = middle;
      }
      if (low - 1 === list.now) continue;
      list.elements[list.now]?.removeAttribute("aria-current");
      list.now = low - 1;
      list.elements[list.now]?.setAttribute("aria-current", "true");
    }
  };
  // Words are shorter than the quarter of a second between two updates.
  const follow = () => {
    mark();
    if (!audio.paused) requestAnimationFrame(follow);
  };
  audio.addEventListener("timeupdate", mark);
  audio.addEventListener("play", follow);
})();
