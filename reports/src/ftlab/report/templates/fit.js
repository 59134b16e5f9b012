// Fits a chart to a width: legends in as many columns as have room, long names on several lines, panels below each
// other where they would get too narrow. Knows Vega-Lite; nothing of what a chart shows, nothing of the page.
"use strict";
const fitChart = (() => {
  const narrowestView = 90;
  const narrowestPanel = 130;
  const nameShare = 0.32; // of the width, at most, for names beside an axis
  const narrowPage = 560;
  const menu = 50; // px, of a chart's menu beside its legend
  const lineHeight = 14;
  const canvas = document.createElement("canvas").getContext("2d");

  const widthOf = (text, font, size = 12, weight = 400) => {
    canvas.font = `${weight} ${size}px ${font}`;
    return canvas.measureText(text).width;
  };

  // A number with its unit, and a unit for each of another.
  const whole = /\s*(?:[\d.,]+ (?:%|[A-Za-zµ]{1,3})|[A-Za-zµ]{1,3}\/[A-Za-z]{1,3})(?![\w-])/;
  const pieces = new RegExp(`${whole.source}|\\s*[^\\s/_.-]+[/_.-]*|\\s*[/_.-]+`, "g");

  // Breaks between words, and within words behind what joins their parts.
  const wrap = (text, room, measure) => {
    const lines = [];
    let line = "";
    for (const piece of text.match(pieces) ?? [text]) {
      if (line && measure(line + piece) > room) {
        lines.push(line);
        line = piece.trimStart();
      } else line += piece;
    }
    return [...lines, line];
  };

  const children = (node) => ["layer", "hconcat", "vconcat"].flatMap((key) => node[key] ?? []);

  // The names that a field has in the data of a view and its layers.
  const namesOf = (node, field, inherited = []) => {
    const values = node.data?.values ?? inherited;
    const own = node.encoding?.y?.field === field || node.encoding?.x?.field === field ? values.map((v) => v[field]) : [];
    return [...new Set([...own, ...children(node).flatMap((child) => namesOf(child, field, values))])];
  };

  const eachEncoding = (node, visit) => {
    if (node.encoding) visit(node.encoding);
    for (const child of children(node)) eachEncoding(child, visit);
  };

  const fitLegends = (node, room, font) =>
    eachEncoding(node, ({ color }) => {
      const labels = color?.scale?.domain;
      if (color?.type !== "nominal" || color.legend === null || !Array.isArray(labels)) return;
      const widest = Math.max(...labels.map((label) => widthOf(String(label), font))) + 36;
      const columns = Math.max(1, Math.floor(room / widest));
      color.legend = { ...color.legend, columns: Math.min(columns, labels.length) };
    });

  // Names beside a view: on several lines where they would take too much of the width.
  const fitNames = (view, room, font) => {
    let lines = 1;
    const fields = new Set();
    eachEncoding(view, ({ y }) => y?.type === "nominal" && fields.add(y.field));
    for (const field of fields) {
      const names = namesOf(view, field).map(String);
      const most = Math.max(...names.map((name) => widthOf(name, font)));
      if (most <= room * nameShare) continue;
      const measure = (text) => widthOf(text, font);
      const broken = Object.fromEntries(names.map((name) => [name, wrap(name, room * nameShare, measure)]));
      const widest = Math.max(...Object.values(broken).flat().map(measure));
      lines = Math.max(lines, ...Object.values(broken).map((parts) => parts.length));
      eachEncoding(view, ({ y }) => {
        if (y?.field !== field || y.axis === null || y.axis?.labels === false) return;
        const labelExpr = `(${JSON.stringify(broken)})[datum.label]`;
        y.axis = { ...y.axis, labelExpr, labelLimit: widest + 8, labelLineHeight: lineHeight };
      });
      const rows = names.length;
      if (typeof view.height === "number") view.height = Math.max(view.height, rows * (lines * lineHeight + 8));
    }
  };

  // Names below a view: slanted where they do not fit side by side.
  const slantNames = (view, font) =>
    eachEncoding(view, ({ x }) => {
      if (x?.type !== "nominal" || x.axis === null) return;
      const names = namesOf(view, x.field).map(String);
      const widest = Math.max(...names.map((name) => widthOf(name, font)));
      if (names.length * (widest + 10) > view.width) x.axis = { ...x.axis, labelAngle: -40, labelOverlap: false };
    });

  const fitTitle = (view, room, font) => {
    if (!view.title || typeof view.title === "string") return;
    const broken = (text, size, weight) =>
      [text].flat().flatMap((line) => wrap(line, room, (part) => widthOf(part, font, size, weight)));
    view.title = { ...view.title, text: broken(view.title.text ?? "", 13, 600) };
    if (view.title.subtitle) view.title.subtitle = broken(view.title.subtitle, 12, 400);
  };

  // The title below a view is centred on it and would stick out on both sides.
  const fitAxisTitle = (view, font) =>
    eachEncoding(view, ({ x }) => {
      if (typeof x?.title === "string") x.title = wrap(x.title, view.width + 30, (part) => widthOf(part, font));
    });

  const stacked = (panels) =>
    panels.map((panel, index) => {
      if (index === 0) return panel;
      eachEncoding(panel, ({ y }) => {
        if (y?.axis?.labels === false) y.axis = { ...panels[0].layer?.[0]?.encoding?.y?.axis, labels: true };
      });
      return panel;
    });

  const fitView = (node, ratio, room, font, less) => {
    if (typeof node.width === "number") {
      node.width = Math.max(narrowestView, Math.round(node.width * ratio) - less);
      fitNames(node, room, font);
      slantNames(node, font);
      fitAxisTitle(node, font);
      fitTitle(node, room - 80, font);
    }
    if (node.hconcat) {
      const count = node.hconcat.length;
      if (room / count < narrowestPanel + (room * nameShare) / count) {
        const { hconcat, ...rest } = node;
        for (const panel of hconcat) panel.width = room / ratio;
        return fitView({ ...rest, vconcat: stacked(hconcat), spacing: 24 }, ratio, room, font, less);
      }
      node.hconcat = node.hconcat.map((child) => fitView(child, ratio, room, font, Math.ceil(less / count)));
    }
    if (node.vconcat) node.vconcat = node.vconcat.map((child) => fitView(child, ratio, room, font, less));
    return node;
  };

  // `design`: width that the spec is laid out for, `reserve` of it for axes; `less`: px by which an attempt was too wide.
  return (spec, { room, design, reserve, font, less = 0 }) => {
    const copy = structuredClone(spec);
    // A legend begins at its view; over a narrow view it stands in the middle, so that long entries find room.
    const narrow = room < narrowPage;
    if (narrow) copy.config = { legend: { layout: { top: { anchor: "middle" } } } };
    fitLegends(copy, room - (narrow ? menu : Math.max(menu, reserve)), font);
    return fitView(copy, Math.max(0.1, (room - reserve) / (design - reserve)), room, font, less);
  };
})();
