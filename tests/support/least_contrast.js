(() => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[0-9.]+/g).slice(0, 3).map((one) => one / 255)
      .map((one) => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const background = (one) => {
    const colour = getComputedStyle(one).backgroundColor;
    return colour === "rgba(0, 0, 0, 0)" ? background(one.parentElement) : colour;
  };
  const ink = (one) => getComputedStyle(one)[one.ownerSVGElement ? "fill" : "color"];
  const texts = [...document.body.querySelectorAll("*")].filter((one) =>
    !["SCRIPT", "AUDIO", "title"].includes(one.tagName)
    && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  return Math.min(...texts.map((one) => {
    const [a, b] = [light(ink(one)), light(background(one))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }));
})()
