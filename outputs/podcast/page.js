"use strict";
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
})();
