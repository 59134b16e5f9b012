// Draws the charts in the look of the page, at the width of the window. Asks the network for nothing.
"use strict";
(() => {
  const settings = JSON.parse(document.getElementById("settings").textContent);
  const root = document.documentElement;
  const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
  const mostAttempts = 5;
  const tooltipGap = 6; // px between a tooltip and the edge of the window
  const paperWidth = 680; // px that a table may take on A4 between the margins
  let chosen = null;

  const isDark = () => (chosen === null ? prefersDark.matches : chosen === "dark");

  const drawn = (holder, spec, mode) =>
    vegaEmbed(holder, spec, {
      config: mode === "dark" ? settings.dark : settings.light,
      renderer: "svg",
      tooltip: { theme: mode },
      actions: { export: true, source: false, compiled: false, editor: false },
      downloadFileName: holder.dataset.chart,
    });

  const shownTooltip = () => document.querySelector("#vg-tooltip-element.visible");
  const hideTooltip = () => shownTooltip()?.classList.remove("visible");

  // The library puts a tooltip to the left of the pointer where there is no room to its right, however far that is.
  const keepTooltipInside = () => {
    const tooltip = shownTooltip();
    if (!tooltip) return;
    const most = root.clientWidth - tooltip.offsetWidth - tooltipGap;
    tooltip.style.left = `${Math.max(tooltipGap, Math.min(tooltip.getBoundingClientRect().left, most))}px`;
  };
  for (const moved of ["pointermove", "mousemove"]) document.addEventListener(moved, keepTooltipInside);

  // The same chart with its axes exchanged.
  const turned = (spec) => {
    const copy = structuredClone(spec);
    for (const { encoding } of copy.layer ?? [copy]) [encoding.x, encoding.y] = [encoding.y, encoding.x];
    return copy;
  };

  // What is picked in a legend, as a spec says it.
  const entries = (field, picked) => (picked[field] ?? []).map((value) => ({ [field]: value }));

  // What axes and legends take is known once they are drawn; a chart that came out too wide is drawn narrower.
  const drawFitting = async (holder, mode) => {
    const { spec: upright, reserve } = settings.charts[holder.dataset.chart];
    const spec = holder.dataset.turned ? turned(upright) : upright;
    const room = Math.min(holder.clientWidth || settings.width, settings.width * 1.25) - 4;
    const frame = { room, design: settings.width, reserve, font: settings.light.font, less: 0 };
    // What was picked stays when a chart is drawn anew.
    holder.picked ??= new Map();
    const offered = (spec.params ?? []).filter(({ bind }) => bind === "legend" || bind?.input === "select");
    for (const one of offered) {
      if (holder.picked.has(one.name)) one.value = holder.picked.get(one.name);
      else if (one.bind === "legend") delete one.value;
    }
    hideTooltip();
    const focusAgain = heldFocus(holder);
    for (let attempt = 0; attempt < mostAttempts; ++attempt) {
      if (holder.view) holder.view.finalize();
      holder.view = await drawn(holder, fitChart(spec, frame), mode);
      const over = Math.ceil(holder.querySelector("svg.marks").getBoundingClientRect().width - room);
      if (over <= 0) break;
      frame.less += over;
    }
    const { view } = holder.view;
    for (const { name, bind, select } of offered)
      view.addSignalListener(name, (_, value) => {
        const picked = bind === "legend" ? entries(select.fields[0], value) : value;
        if (bind === "legend" && picked.length === 0) holder.picked.delete(name);
        else holder.picked.set(name, picked);
        hideTooltip();
      });
    focusAgain();
    kept.release(holder);
    holder.classList.toggle("bare", !holder.querySelector(".role-legend, .role-title"));
    holder.setAttribute("role", "img");
    holder.dataset.drawn = mode;
  };

  // Said where the chart would stand; the others are drawn, and it may be at another width or in the other look.
  const sayFailed = (holder, problem) => {
    console.error(problem);
    holder.view = null;
    const { chart } = holder.dataset;
    const words = document.createElement("p");
    words.className = "note warning";
    const reason = `This chart could not be drawn (${problem?.message ?? problem}).`;
    words.textContent = `${reason} figures/${chart}.svg, written beside this page, holds it.`;
    holder.replaceChildren(words);
    holder.setAttribute("role", "note");
    kept.release(holder);
  };

  // One after the other: what is picked while a chart is being drawn is drawn behind it.
  const draw = (holder, mode) => {
    holder.last = (holder.last ?? Promise.resolve())
      .then(() => drawFitting(holder, mode))
      .catch((problem) => sayFailed(holder, problem));
    return holder.last;
  };

  // Two quantities are picked; a quantity that is picked for both sides exchanges them.
  const offerChoice = (figure) => {
    const pairs = settings.choices[figure.dataset.choice];
    const holder = figure.querySelector(".chart");
    const caption = figure.querySelector(".on-screen");
    const sides = Object.fromEntries([...figure.querySelectorAll("[data-side]")].map((box) => [box.dataset.side, box]));
    let picked = [];
    const pick = (changed) => {
      if (sides.x.value === sides.y.value) {
        const other = changed === sides.x ? sides.y : sides.x;
        other.value = picked.find((name) => name !== changed.value);
      }
      picked = [sides.x.value, sides.y.value];
      const pair = pairs.find(({ x, y }) => picked.includes(x) && picked.includes(y));
      holder.dataset.chart = pair.chart;
      if (pair.x === picked[0]) delete holder.dataset.turned;
      else holder.dataset.turned = "yes";
      holder.setAttribute("aria-label", pair.label);
      caption.textContent = pair.caption;
    };
    pick(sides.x); // a browser may remember what was picked before the page was loaded again
    figure.addEventListener("change", ({ target }) => {
      pick(target);
      draw(holder, isDark() ? "dark" : "light");
    });
    figure.querySelector(".picker").hidden = caption.hidden = false;
  };
  for (const figure of document.querySelectorAll("[data-choice]")) offerChoice(figure);

  // A table that is wider than its place has a block for each row, whose cells say their columns themselves.
  const stackTables = () => {
    for (const box of document.querySelectorAll(".scroll")) {
      const table = box.querySelector("table");
      table.classList.remove("stacked");
      if (box.scrollWidth > box.clientWidth + 1) table.classList.add("stacked");
    }
  };
  for (const folded of document.querySelectorAll("details.block")) folded.addEventListener("toggle", stackTables);

  const holders = [...document.querySelectorAll("[data-chart]")];
  let round = 0;
  const drawAll = async (mode = isDark() ? "dark" : "light") => {
    const mine = ++round;
    const width = window.innerWidth;
    stackTables();
    kept.goBack();
    for (const holder of holders) {
      if (mine !== round) return;
      await draw(holder, mode);
    }
    if (mine !== round) return;
    kept.arrive();
    root.dataset.ready = "yes";
    root.dataset.width = width;
  };

  document.getElementById("theme").addEventListener("click", () => {
    chosen = isDark() ? "light" : "dark";
    root.dataset.theme = chosen;
    drawAll();
  });
  prefersDark.addEventListener("change", () => drawAll());
  let width = window.innerWidth;
  let timer = 0;
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    clearTimeout(timer);
    timer = setTimeout(() => drawAll(), 150);
  });

  // The menu of a chart; the library closes it by a click elsewhere alone.
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    for (const menu of document.querySelectorAll(".chart details[open]")) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });

  // Paper gets every table, and the static pictures: light, whole, and of the width that they were laid out for.
  const opened = [];
  window.addEventListener("beforeprint", () => {
    for (const still of document.querySelectorAll("figure > noscript")) {
      if (still.nextElementSibling?.className === "still") continue;
      const picture = document.createElement("div");
      picture.className = "still";
      picture.innerHTML = still.textContent;
      still.after(picture);
    }
    for (const folded of document.querySelectorAll("details.block:not([open])")) {
      folded.open = true;
      opened.push(folded);
    }
    for (const table of document.querySelectorAll(".scroll > table")) {
      table.style.width = "1px";
      const least = table.offsetWidth;
      table.style.width = "";
      table.style.setProperty("--print-zoom", Math.min(1, paperWidth / least));
    }
  });

  window.addEventListener("afterprint", () => {
    for (const folded of opened.splice(0)) folded.open = false;
  });

  // Marks the section that is being read.
  const links = new Map([...document.querySelectorAll(".toc > ol > li > a")].map((a) => [a.hash.slice(1), a]));
  const seen = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        for (const link of links.values()) link.parentElement.classList.remove("here");
        links.get(entry.target.id)?.parentElement.classList.add("here");
      }
    },
    { rootMargin: "-15% 0px -75% 0px" },
  );
  for (const section of document.querySelectorAll("main > section")) seen.observe(section);

  // A link into a folded table opens it, also one that is followed again.
  const unfold = (hash) => {
    const target = document.getElementById(decodeURIComponent(hash.slice(1)));
    if (target instanceof HTMLDetailsElement) target.open = true;
  };
  window.addEventListener("hashchange", () => unfold(location.hash));
  document.addEventListener("click", ({ target }) => unfold(target.closest?.("a[href^='#']")?.hash ?? ""));
  unfold(location.hash);

  drawAll();
})();
