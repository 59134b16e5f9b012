// Draws the charts in the look of the page, at the width of the window. Asks the network for nothing.
"use strict";
(() => {
  const settings = JSON.parse(document.getElementById("settings").textContent);
  const root = document.documentElement;
  const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
  const narrowest = 520;
  const narrowestView = 60;
  let chosen = null;

  const isDark = () => (chosen === null ? prefersDark.matches : chosen === "dark");

  // Scales the width of every view: `reserve` px stay for axes and gaps.
  const fit = (node, factor) => {
    if (Array.isArray(node)) return node.map((child) => fit(child, factor));
    if (node === null || typeof node !== "object") return node;
    const copy = { ...node };
    if (typeof copy.width === "number") copy.width = Math.max(narrowestView, Math.round(copy.width * factor));
    for (const key of ["layer", "hconcat", "vconcat"]) if (copy[key]) copy[key] = fit(copy[key], factor);
    return copy;
  };

  const draw = async (holder, mode) => {
    const chart = settings.charts[holder.dataset.chart];
    // Below narrowest px a chart keeps its width and its holder scrolls.
    const available = Math.max(narrowest, Math.min(holder.clientWidth || settings.width, settings.width * 1.25) - 16);
    const factor = Math.max(0.2, (available - chart.reserve) / (settings.width - chart.reserve));
    const config = mode === "dark" ? settings.dark : settings.light;
    if (holder.view) holder.view.finalize();
    const result = await vegaEmbed(holder, fit(chart.spec, factor), {
      config,
      renderer: "svg",
      tooltip: { theme: mode },
      actions: { export: true, source: false, compiled: false, editor: false },
      downloadFileName: holder.dataset.chart,
    });
    holder.view = result;
    holder.dataset.drawn = mode;
  };

  const holders = [...document.querySelectorAll("[data-chart]")];
  let round = 0;
  const drawAll = async (mode = isDark() ? "dark" : "light") => {
    const mine = ++round;
    for (const holder of holders) {
      if (mine !== round) return;
      await draw(holder, mode);
    }
    if (mine === round) root.dataset.ready = "yes";
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

  // A link into a folded table opens it.
  const unfold = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target instanceof HTMLDetailsElement) target.open = true;
  };
  window.addEventListener("hashchange", unfold);
  unfold();

  drawAll();
})();
