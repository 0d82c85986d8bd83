import type { FilterField } from "../filter-bar.tsx";

/** Filters of a page of plots, as `readPlotChoice` reads them from the address. */
export const PLOT_FIELDS: readonly FilterField[] = [
  {
    name: "span",
    label: "Span",
    kind: "choice",
    all: "7 days",
    options: [
      ["24h", "24 hours"],
      ["30d", "30 days"],
      ["90d", "90 days"],
    ],
  },
  {
    name: "by",
    label: "By",
    kind: "choice",
    all: "Everything together",
    options: [
      ["agent", "Agent"],
      ["model", "Model"],
    ],
  },
  { name: "agent_id", label: "Agent id", kind: "text" },
  { name: "model_name", label: "Model", kind: "text" },
];
