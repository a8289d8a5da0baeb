import * as vega from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import type { Results } from "./results.js";

const NAMES = { ours: "fs", peer: "deepagents", limit: "limit" } as const;
const COLORS = { fs: "#0f766e", deepagents: "#c2410c", limit: "#a3a8a5" };

/** How each operation grows with the number of files: one small plot each, both axes logarithmic, as SVG without script. */
export async function growthPlot(results: Results): Promise<string> {
  const values = results.rows.flatMap(({ operation, files, times }) =>
    (["ours", "peer", "limit"] as const).flatMap((side) => {
      const time = times[side];
      return time === undefined ? [] : [{ operation, files, ms: time.median, side: NAMES[side] }];
    }),
  );
  const spec: TopLevelSpec = {
    data: { values },
    facet: {
      field: "operation",
      type: "nominal",
      sort: null,
      title: null,
      header: { labelFontSize: 11, labelFontWeight: 600, labelColor: "#1f2421" },
    },
    columns: 3,
    spec: {
      width: 190,
      height: 120,
      mark: { type: "line", point: { size: 28 }, strokeWidth: 1.8 },
      encoding: {
        x: {
          field: "files",
          type: "quantitative",
          scale: { type: "log" },
          axis: { title: "files", format: "~s", tickCount: 4, grid: false },
        },
        y: {
          field: "ms",
          type: "quantitative",
          scale: { type: "log" },
          axis: { title: "ms", format: "~g", tickCount: 4 },
        },
        color: {
          field: "side",
          type: "nominal",
          sort: Object.values(NAMES),
          scale: { domain: Object.keys(COLORS), range: Object.values(COLORS) },
          legend: { title: null, orient: "top" },
        },
      },
    },
    config: {
      font: "system-ui, sans-serif",
      background: "#fdfdfc",
      view: { stroke: null },
      axis: {
        labelColor: "#5a625d",
        titleColor: "#5a625d",
        titleFontWeight: 400,
        gridColor: "#ecece7",
        domainColor: "#c9ccc7",
        tickColor: "#c9ccc7",
      },
    },
  };
  const view = new vega.View(vega.parse(compile(spec).spec), { renderer: "none" });
  return `${await view.toSVG()}\n`;
}

/** Whether there is a growth to draw. */
export function grows({ rows }: Results): boolean {
  return new Set(rows.map(({ files }) => files)).size > 1 && rows.length > 6;
}
