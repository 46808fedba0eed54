"use strict";

// Where there is a script, the steps are a page of their own in place of their listing.
const page = JSON.parse(document.getElementById("stepper").textContent);

function step(details) {
  if (!details.open) return;
  if (details.querySelector("iframe")) return;
  const data = details.querySelector(".document");
  const frame = document.createElement("iframe");
  const chart = details.querySelector("svg");
  const parts = { "{{charts}}": chart ? chart.outerHTML : "", "{{data}}": data.textContent };
  frame.title = details.querySelector("summary").textContent;
  frame.srcdoc = Object.entries(parts).reduce((text, [name, part]) => text.replace(name, () => part), page);
  data.before(frame);
  details.querySelector(".static").hidden = true;
}

for (const details of document.querySelectorAll(".steps:has(.document)")) {
  details.addEventListener("toggle", () => step(details));
  step(details);
}
