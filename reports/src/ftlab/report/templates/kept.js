// Brings a page that is loaded again back to where it was read: charts are drawn behind the moment in which a browser
// goes there, and until then the page is shorter.
"use strict";
const kept = (() => {
  const key = `ftlab ${location.pathname}`;
  const byReader = ["wheel", "touchmove", "keydown", "pointerdown", "resize"];

  // Storage may be forbidden, and then nothing is kept.
  const attempt = (action) => {
    try {
      return action();
    } catch {
      return null;
    }
  };

  window.addEventListener("pagehide", () => {
    const heights = [...document.querySelectorAll(".chart")].map(({ id, offsetHeight }) => [id, offsetHeight]);
    const open = [...document.querySelectorAll("details.block[open]")].map(({ id }) => id);
    const state = { heights, open, top: window.scrollY, width: window.innerWidth };
    attempt(() => sessionStorage.setItem(key, JSON.stringify(state)));
  });

  const { type } = performance.getEntriesByType("navigation")[0] ?? {};
  const again = type === "reload" || type === "back_forward";
  const state = again ? attempt(() => JSON.parse(sessionStorage.getItem(key))) : null;
  const each = (pairs, action) => {
    for (const [id, value] of pairs) {
      const found = document.getElementById(id);
      if (found) action(found, value);
    }
  };
  if (state) each(state.open.map((id) => [id]), (table) => (table.open = true));

  // In a window of another width everything stands elsewhere, and the browser does what it can.
  let goes = state?.width === window.innerWidth;
  if (goes) {
    history.scrollRestoration = "manual";
    each(state.heights, (chart, height) => (chart.style.minHeight = `${height}px`));
    for (const moved of byReader) window.addEventListener(moved, () => (goes = false), { once: true, passive: true });
  }
  const goBack = () => {
    if (goes) window.scrollTo({ top: state.top, behavior: "instant" });
  };

  return {
    goBack,
    release: (chart) => chart.style.removeProperty("min-height"),
    arrive: () => {
      goBack();
      goes = false;
      history.scrollRestoration = "auto";
    },
  };
})();
