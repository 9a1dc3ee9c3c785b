// The sleep timer: after some minutes, or where the chapter ends.

let sleepChoice = ""; // "", "chapter" or minutes
let sleepAt = 0;
let sleepTimer = 0;
const FADE_MS = 5000;

const stopsAtChapterEnd = () => sleepChoice === "chapter";

function chooseSleep(choice) {
  sleepChoice = choice;
  clearInterval(sleepTimer);
  voice.volume = 1;
  if (Number(choice)) {
    sleepAt = Date.now() + Number(choice) * 60_000;
    sleepTimer = setInterval(watchSleep, 500);
  }
  for (const button of document.querySelectorAll("[data-sleep]")) {
    button.setAttribute("aria-pressed", String(button.dataset.sleep === choice));
  }
  showSleep();
}

function watchSleep() {
  const left = sleepAt - Date.now();
  if (left <= 0) {
    pause();
    return chooseSleep("");
  }
  if (left < FADE_MS) voice.volume = left / FADE_MS;
  showSleep();
}

function showSleep() {
  const minutes = Math.ceil((sleepAt - Date.now()) / 60_000);
  const text = stopsAtChapterEnd() ? "chapter" : Number(sleepChoice) ? `${minutes} min` : "";
  const output = byId("sleep-now");
  if (output.textContent !== text) output.textContent = text;
}
