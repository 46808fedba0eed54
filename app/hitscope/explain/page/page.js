"use strict";

// What is computed of a document: no browser is needed for it.
const Steps = {
  // The texts of all values after step k; a value is set where it has changed. Parameters are last.
  valuesAfter(data, k) {
    const values = new Map();
    for (let i = 0; i <= k; i++) {
      for (const name of data.steps[i].gone) values.delete(name);
      for (const [name, text] of Object.entries(data.steps[i].changed)) values.set(name, text);
    }
    const own = [...values].filter(([name]) => !data.parameters.includes(name));
    return new Map([...own, ...[...values].filter(([name]) => data.parameters.includes(name))]);
  },

  isStrange(text) {
    return /\b(nan|inf)\b/.test(text);
  },

  // The first step after k, or before it, in another pass of a loop.
  nextPass(data, k, sign) {
    const pass = (i) => JSON.stringify(data.steps[i].passes);
    let i = k + sign;
    while (i > 0 && i < data.steps.length - 1 && pass(i) === pass(k)) i += sign;
    return Math.max(0, Math.min(data.steps.length - 1, i));
  },

  nextStrange(data, k) {
    for (let i = k + 1; i < data.steps.length; i++) {
      const own = Object.entries(data.steps[i].changed).filter(([name]) => !data.parameters.includes(name));
      if (own.some(([, text]) => Steps.isStrange(text))) return i;
    }
    return k;
  },

  // The step that a key leads to from step k; null for a key that leads nowhere.
  afterKey(data, k, key, shift) {
    const last = data.steps.length - 1;
    const to = (i) => Math.max(0, Math.min(last, i));
    switch (key) {
      case ">": return Steps.nextPass(data, k, 1);
      case "<": return Steps.nextPass(data, k, -1);
      case ".": case "ArrowRight": return shift ? Steps.nextPass(data, k, 1) : to(k + 1);
      case ",": case "ArrowLeft": return shift ? Steps.nextPass(data, k, -1) : to(k - 1);
      case "Home": return 0;
      case "End": return last;
      case "d": case "D": return data.deciding;
      case "l": case "L": case "!": return data.wrongStep;
      case "n": case "N": return Steps.nextStrange(data, k);
      default: return null;
    }
  },

  // A point of the frame as x, y on the canvas and its depth, y up.
  project(point, view, width, height) {
    const [x, y, z] = point;
    const [sy, cy, sp, cp] = [Math.sin(view.yaw), Math.cos(view.yaw), Math.sin(view.pitch), Math.cos(view.pitch)];
    const right = cy * x - sy * z;
    const forward = sy * x + cy * z;
    const up = cp * y - sp * forward;
    const depth = Math.max(0.2, view.distance - (sp * y + cp * forward));
    const scale = Math.min(width, height) * 1.35 / depth;
    return [width / 2 + right * scale, height / 2 - up * scale, depth];
  },

  // Points of the silhouette of a ball or, with another end, of a capsule; none around the eye.
  silhouette([x, y, z, radius, ...end], view) {
    const [first, second] = [[x, y, z], end].map((center) => Steps.ring(center, radius, view));
    if (!end.length || !first.length || !second.length) return end.length && !first.length ? second : first;
    const points = [...first, ...second].map((point) => ({ point, at: Steps.project(point, view, 1, 1) }));
    points.sort((p, q) => p.at[0] - q.at[0] || p.at[1] - q.at[1]);
    const turn = (o, p, q) => (p.at[0] - o.at[0]) * (q.at[1] - o.at[1]) - (p.at[1] - o.at[1]) * (q.at[0] - o.at[0]);
    const half = (ordered) => {
      const hull = [];
      for (const next of ordered) {
        while (hull.length > 1 && turn(hull[hull.length - 2], hull[hull.length - 1], next) <= 0) hull.pop();
        hull.push(next);
      }
      return hull.slice(0, -1);
    };
    return [...half(points), ...half([...points].reverse())].map(({ point }) => point);
  },

  // Points of the circle around which the lines from the eye touch a ball; none around the eye.
  ring([x, y, z], radius, view) {
    const [sy, cy, sp, cp] = [Math.sin(view.yaw), Math.cos(view.yaw), Math.sin(view.pitch), Math.cos(view.pitch)];
    const eye = [cp * sy, sp, cp * cy].map((part) => part * view.distance);
    const toEye = [eye[0] - x, eye[1] - y, eye[2] - z];
    const distance = Math.hypot(...toEye);
    if (distance <= radius) return [];
    const n = toEye.map((part) => part / distance);
    const a = Math.abs(n[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0];
    const cross = (p, q) => [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
    const across = cross(a, n);
    const u = across.map((part) => part / Math.hypot(...across));
    const v = cross(n, u);
    const [ahead, size] = [radius ** 2 / distance, radius * Math.sqrt(1 - (radius / distance) ** 2)];
    return Array.from({ length: 64 }, (_, i) => {
      const [c, s] = [size * Math.cos(i * Math.PI / 32), size * Math.sin(i * Math.PI / 32)];
      return [x, y, z].map((part, k) => part + ahead * n[k] + c * u[k] + s * v[k]);
    });
  },

  // The parts of a line of Python: [class, text].
  highlighted(line) {
    const parts = [];
    const token = /(#.*)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\b(False|None|True|and|as|assert|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield)\b/g;
    let end = 0;
    for (const match of line.matchAll(token)) {
      parts.push(["", line.slice(end, match.index)]);
      parts.push([match[1] ? "comment" : match[2] ? "string" : "keyword", match[0]]);
      end = match.index + match[0].length;
    }
    parts.push(["", line.slice(end)]);
    return parts.filter((part) => part[1]);
  },
};

if (typeof module !== "undefined") module.exports = Steps;

function start() {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const view = { yaw: 0.6, pitch: 0.45, distance: 4.2 };
  const lines = new Map();
  let k = 0;
  let timer = null;

  function element(name, text, className) {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  function header() {
    $("method").textContent = data.method + Object.entries(data.arguments).map(([name, value]) => `, ${name}=${value}`).join("");
    $("title").textContent = data.title;
    $("verdict").textContent = data.verdict + (data.isWrong ? ", wrong" : "");
    $("verdict").className = data.verdict;
    $("about").textContent = data.about;
    $("conclusion").textContent = data.conclusion;
    if (data.answer) {
      $("conclusion").append(document.createElement("br"), "Answer: ", element("code", data.answer));
    }
    if (data.steps.length < data.total) {
      $("conclusion").append(document.createElement("br"), `Of ${data.total} steps the first ${data.steps.length} are here.`);
    }
    data.code.lines.forEach((line, i) => {
      const item = document.createElement("li");
      const text = document.createElement("span");
      for (const [kind, part] of data.code.isCode ? Steps.highlighted(line) : [["", line]]) text.append(element("span", part, kind));
      item.append(text);
      item.dataset.number = String(data.code.first + i);
      item.dataset.mark = "";
      lines.set(data.code.first + i, item);
      $("code").append(item);
    });
    for (const [name, mark] of [["deciding", "* "], ["wrongStep", "! "]]) {
      const item = data[name] === null ? null : lines.get(data.steps[data[name]].line);
      if (item) {
        item.classList.add(name === "wrongStep" ? "wrong" : "decides");
        item.dataset.mark = mark;
      }
    }
    const last = Math.max(1, data.steps.length - 1);
    const tick = (i, className) => {
      const made = element("i", "", className);
      made.style.left = `calc(.5rem + (100% - 1rem) * ${i / last})`;
      $("ticks").append(made);
    };
    data.steps.forEach((step, i) => {
      const isPass = step.passes.length && (i === 0 || JSON.stringify(step.passes) !== JSON.stringify(data.steps[i - 1].passes));
      if (isPass && data.steps.length < 600) tick(i, "");
    });
    if (data.deciding !== null) tick(data.deciding, "decides");
    if (data.wrongStep !== null) tick(data.wrongStep, "wrong");
    $("slider").max = String(Math.max(0, data.steps.length - 1));
    $("decision").disabled = data.deciding === null;
    $("wrong").disabled = data.wrongStep === null;
  }

  function show(to) {
    if (to === null || !data.steps.length) return;
    k = to;
    const step = data.steps[k];
    for (const item of lines.values()) item.classList.remove("lit");
    for (let i = 0; i < step.count; i++) lines.get(step.line + i)?.classList.add("lit");
    const item = lines.get(step.line);
    if (item) {
      const box = $("code");
      const top = item.offsetTop - box.offsetTop * (item.offsetParent === box ? 0 : 1);
      if (top < box.scrollTop + 40 || top > box.scrollTop + box.clientHeight - 60) box.scrollTop = top - box.clientHeight / 2;
    }
    const passes = step.passes.map(([line, number]) => `pass ${number} of line ${line}`).join(", ");
    $("where").textContent = `Step ${k + 1}, line ${step.line}` + (passes ? `: ${passes}` : "");
    $("notes").replaceChildren(...step.notes.map(([sign, text]) => element("li", `${sign} ${text}`)));
    if (k === data.deciding) $("notes").append(element("li", "* this decides", "decides"));
    if (k === data.wrongStep) $("notes").append(element("li", `! ${data.wrongLine}`, "wrong"));
    const rows = [...Steps.valuesAfter(data, k)].map(([name, text]) => {
      const row = document.createElement("tr");
      if (name in step.changed) row.classList.add("changed");
      if (Steps.isStrange(text) && !data.parameters.includes(name)) row.classList.add("strange");
      row.append(element("td", name), element("td", text), element("td", step.ulps[name] ?? ""));
      return row;
    });
    $("values").replaceChildren(...rows);
    for (const zone of document.querySelectorAll("#charts .zone")) zone.classList.toggle("lit", zone.dataset.row === String(step.row));
    $("slider").value = String(k);
    $("count").textContent = `${k + 1} of ${data.steps.length}`;
    for (const [id, end] of [["first", 0], ["back", 0], ["next", data.steps.length - 1], ["last", data.steps.length - 1]]) $(id).disabled = k === end;
    draw();
  }

  function play(isOn) {
    clearInterval(timer);
    timer = isOn ? setInterval(() => (k < data.steps.length - 1 ? show(k + 1) : play(false)), 450) : null;
    $("play").textContent = isOn ? "❚❚" : "▶▶";
  }

  function draw() {
    const canvas = $("view");
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const ratio = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    }
    const pen = canvas.getContext("2d");
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.lineJoin = "round";
    const at = (point) => Steps.project(point, view, width, height);

    function path(points, isClosed) {
      pen.beginPath();
      points.map(at).forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
      if (isClosed) pen.closePath();
    }
    function dot(point, radius) {
      const [x, y] = at(point);
      pen.beginPath();
      pen.arc(x, y, radius, 0, 2 * Math.PI);
      pen.fill();
    }
    function arrow(tail, tip) {
      path([tail, tip], false);
      pen.stroke();
      const [[ax, ay], [bx, by]] = [at(tail), at(tip)];
      const angle = Math.atan2(by - ay, bx - ax);
      pen.beginPath();
      pen.moveTo(bx, by);
      for (const turn of [2.7, -2.7]) pen.lineTo(bx + 11 * Math.cos(angle + turn), by + 11 * Math.sin(angle + turn));
      pen.closePath();
      pen.fill();
    }
    function shape(outline, name) {
      const depth = (face) => face.reduce((sum, point) => sum + at(point)[2], 0) / face.length;
      pen.strokeStyle = pen.fillStyle = colour(name);
      pen.lineWidth = name === "probe" ? 2.5 : 1.5;
      const balls = outline.balls.map((ball) => Steps.silhouette(ball, view)).filter((edge) => edge.length);
      for (const face of [...outline.faces, ...balls].sort((a, b) => depth(b) - depth(a))) {
        path(face, true);
        pen.globalAlpha = 0.12;
        pen.fill();
        pen.globalAlpha = 1;
        pen.stroke();
      }
      for (const line of outline.lines) { path(line, false); pen.stroke(); }
      for (const [tail, tip] of outline.arrows) arrow(tail, tip);
      for (const point of outline.points) dot(point, 4);
    }
    shape(data.primitive, "primitive");
    shape(data.probe, "probe");

    const boxes = [];
    for (const picture of data.steps[k]?.pictures ?? []) {
      pen.strokeStyle = pen.fillStyle = colour("picture");
      pen.globalAlpha = picture.isNew ? 1 : 0.55;
      pen.lineWidth = picture.isNew ? 4 : 2;
      const points = picture.points;
      if (picture.kind === "arrow" && points.length === 2) arrow(points[0], points[1]);
      else if (picture.kind === "outline") {
        pen.lineWidth = 1;
        for (let i = 0; i < points.length; i += 2) { path(points.slice(i, i + 2), false); pen.stroke(); }
      } else if (picture.kind === "patch") {
        path(points, true);
        pen.stroke();
        pen.globalAlpha *= 0.25;
        pen.fill();
        pen.globalAlpha = picture.isNew ? 1 : 0.55;
      } else {
        if (points.length > 1) { path(points, false); pen.stroke(); }
        for (const point of points) dot(point, picture.isNew ? 6 : 4);
      }
      const label = picture.label.length > 40 ? `${picture.label.slice(0, 39)}…` : picture.label;
      pen.font = `${picture.isNew ? "600 " : ""}13px system-ui, sans-serif`;
      const last = at(points[points.length - 1]);
      const x = Math.max(4, Math.min(width - pen.measureText(label).width - 4, last[0] + 9));
      let y = Math.max(14, Math.min(height - 6, last[1] - 6));
      while (boxes.some(([bx, by]) => Math.abs(by - y) < 15 && Math.abs(bx - x) < 160)) y += 15;
      boxes.push([x, y]);
      pen.globalAlpha = 1;
      pen.lineWidth = 3;
      pen.strokeStyle = colour("panel");
      pen.strokeText(label, x, y);
      pen.fillText(label, x, y);
    }
  }

  function listen() {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === " ") {
        if (event.target.tagName === "BUTTON") return;
        event.preventDefault();
        play(timer === null);
        return;
      }
      const to = Steps.afterKey(data, k, event.key, event.shiftKey);
      if (to === null) return;
      event.preventDefault();
      play(false);
      show(to);
    });
    const keys = { first: "Home", back: ",", next: ".", last: "End", decision: "d", wrong: "l" };
    for (const [id, key] of Object.entries(keys)) $(id).addEventListener("click", () => { play(false); show(Steps.afterKey(data, k, key, false)); });
    $("play").addEventListener("click", () => play(timer === null));
    $("slider").addEventListener("input", () => { play(false); show(Number($("slider").value)); });
    const canvas = $("view");
    canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
    canvas.addEventListener("pointermove", (event) => {
      if (!event.buttons) return;
      view.yaw -= event.movementX * 0.01;
      view.pitch = Math.max(-1.5, Math.min(1.5, view.pitch + event.movementY * 0.01));
      draw();
    });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      view.distance = Math.max(1.5, Math.min(60, view.distance * Math.exp(event.deltaY * 0.001)));
      draw();
    }, { passive: false });
    new ResizeObserver(draw).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  }

  header();
  listen();
  const asked = Number(location.hash.slice(1)) - 1;
  show(asked >= 0 && asked < data.steps.length ? asked : data.wrongStep ?? 0);
}

if (typeof document !== "undefined") start();
