"use strict";
// Some browsers stand still in a stream though they have its sound (WebKitGTK does now and then).
// To pause and to play wakes them.

const STILL_S = 4; // without a step of the position, after which one is thought to stand still

/** Wake it until a signal. `onNothing` is called instead where it has not even the sound's beginning. */
function wakeUntil(signal, sound, play, onNothing) {
  let [position, movedMs] = [-1, 0];
  const look = () => {
    const now = performance.now();
    if (sound.paused || sound.currentTime !== position) [position, movedMs] = [sound.currentTime, now];
    if (now - movedMs < STILL_S * 1000) return;
    movedMs = now;
    if (!sound.readyState) return onNothing();
    sound.pause();
    play();
  };
  const timer = setInterval(look, 500);
  signal.addEventListener("abort", () => clearInterval(timer));
}
