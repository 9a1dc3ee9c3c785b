// Of a read-along page: where the sound is in each frame, and when each word is marked.
(() => {
  const voice = document.getElementById("voice");
  const mark = CSS.highlights.get("word");
  const seen = { files: [], frames: [], marks: [] };
  // The time of the timeline is that of the frame, whoever asks first in it.
  const now = () => {
    const file = seen.files.indexOf(voice.src);
    const index = file < 0 ? seen.files.push(voice.src) - 1 : file;
    return [document.timeline.currentTime, index, voice.currentTime * 1000];
  };
  mark.add = (range) => {
    const span = range.startContainer.parentElement;
    seen.marks.push([...now(), span.id, range.startOffset]);
    return Highlight.prototype.add.call(mark, range);
  };
  const look = () => {
    // A frame in which nothing sounds has no file.
    const isSilent = voice.paused || voice.seeking;
    seen.frames.push(isSilent ? [document.timeline.currentTime, -1, 0] : now());
    requestAnimationFrame(look);
  };
  look();
  window.seen = seen;
  return true;
})()
