const nothing = "nothing";
const shown = (promise) => promise.then((answer) => answer.type === "opaque" ? nothing
  : answer.text().then((text) => `${answer.status} ${text.slice(0, 80)}`), () => nothing);
const fetched = (url, options) => shown(fetch(url, options));
const socket = (url, words) => new Promise((done) => {
  const opened = words ? new WebSocket(url, words) : new WebSocket(url);
  opened.onopen = () => done("opened");
  opened.onerror = () => done(nothing);
});
const loaded = (kind, url) => new Promise((done) => {
  const element = document.createElement(kind);
  element.onload = () => done(kind === "iframe" ? nothing : "loaded");
  element.onerror = () => done(nothing);
  element.src = url;
  document.body.append(element);
});
const posted = (url, body) => new Promise((done) => {
  const frame = document.createElement("iframe");
  frame.name = `frame${Math.random()}`;
  document.body.append(frame);
  const form = document.createElement("form");
  Object.assign(form, {action: url, method: "post", enctype: "text/plain", target: frame.name});
  const input = document.createElement("input");
  [input.name, input.value] = [body.slice(0, -1) + ', "x": "', '"}'];
  form.append(input);
  document.body.append(form);
  frame.onload = () => done(nothing);
  form.submit();
});
const attempts = async (base, requests, sockets, files) => {
  const told = {};
  for (const [method, path, body] of requests) {
    const url = base + path;
    const json = {"Content-Type": "application/json"};
    const plain = {"Content-Type": "text/plain"};
    told[`${method} ${path}`] = await fetched(url, {method, body, headers: body ? json : {}});
    if (body) {
      told[`plain ${path}`] = await fetched(url, {method: "POST", body, headers: plain});
      told[`form ${path}`] = await posted(url, body);
    }
    told[`no-cors ${path}`] = await fetched(
      url, {method: body ? "POST" : "GET", body, mode: "no-cors", credentials: "include"});
  }
  for (const path of sockets) {
    const url = base.replace("http", "ws") + path;
    told[path] = await socket(url);
    told[`prefect ${path}`] = await socket(url, ["prefect"]);
  }
  for (const [kind, path] of files) told[`${kind} ${path}`] = await loaded(kind, base + path);
  return told;
};
