// Keeps the focus of the keyboard over the drawing of a chart, which makes its menu and its boxes anew.
"use strict";
const heldFocus = (holder) => {
  const places = () => [...holder.querySelectorAll("summary, select, a")];
  const nth = places().indexOf(document.activeElement);
  const menuOpen = holder.querySelector("details")?.open ?? false;
  // Where the reader has gone elsewhere meanwhile, the focus stays there.
  return () => {
    if (nth < 0 || document.activeElement !== document.body) return;
    if (menuOpen) holder.querySelector("details").open = true;
    places()[nth]?.focus({ preventScroll: true });
  };
};
