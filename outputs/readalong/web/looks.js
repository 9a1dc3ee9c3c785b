// How the page looks and how fast it speaks, as the reader last chose.

const DEFAULTS = {
  theme: "system", face: "serif", size: 100, width: 36, leading: 160, words: true, keys: true, rate: 1,
};
const looks = { ...DEFAULTS, ...recall(SETTINGS_KEY) };
const UNITS = { size: " %", width: " em", leading: " %" };

function applyLooks() {
  const root = document.documentElement;
  root.dataset.theme = looks.theme;
  root.dataset.face = looks.face;
  root.style.setProperty("--size", looks.size / 100);
  root.style.setProperty("--width", `${looks.width}em`);
  root.style.setProperty("--leading", looks.leading / 100);
  if (!looks.words) wordMark?.clear();
}

/** The controls show the choices, and change them at once. */
function listenToLooks() {
  for (const input of document.querySelectorAll("dialog input[name]")) {
    if (input.type === "radio") input.checked = input.value === looks[input.name];
    else if (input.type === "checkbox") input.checked = looks[input.name];
    else input.value = looks[input.name];
    showValue(input);
    input.addEventListener("input", () => {
      looks[input.name] = { radio: input.value, checkbox: input.checked, range: +input.value }[input.type];
      showValue(input);
      remember(SETTINGS_KEY, looks);
      applyLooks();
      // The lines have moved: the lit one stays in view.
      if (isFollowing && litSpans.length) requestAnimationFrame(() => bringToView(litSpans[0]));
    });
  }
}

function showValue(input) {
  const output = input.parentElement.querySelector("output");
  if (output) output.textContent = `${input.value}${UNITS[input.name]}`;
}

/** 1.5 as "1.5×". */
const rateText = (rate) => `${Number(rate.toFixed(2))}×`;

function setRate(rate) {
  looks.rate = Math.min(Math.max(Math.round(rate * 20) / 20, 0.5), 3);
  remember(SETTINGS_KEY, looks);
  // The default is what the next file begins with.
  voice.defaultPlaybackRate = voice.playbackRate = looks.rate;
  voice.preservesPitch = voice.webkitPreservesPitch = true;
  byId("rate").value = looks.rate;
  byId("rate").setAttribute("aria-valuetext", rateText(looks.rate));
  for (const id of ["rate-now", "speed-now"]) byId(id).textContent = rateText(looks.rate);
  for (const preset of document.querySelectorAll("[data-rate]")) {
    preset.setAttribute("aria-pressed", String(Number(preset.dataset.rate) === looks.rate));
  }
  if (place.doc) showClocks(true);
}

function listenToRate() {
  byId("rate").addEventListener("input", (event) => setRate(+event.target.value));
  for (const preset of document.querySelectorAll("[data-rate]")) {
    preset.addEventListener("click", () => setRate(+preset.dataset.rate));
  }
  setRate(looks.rate);
}
