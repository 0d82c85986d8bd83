// Formats the figures of one cell as a Markdown table with the verdicts on its targets.
import type { Cell, Figure } from "../cell.ts";
import type { PeerName } from "../peers/peer.ts";
import { quantile } from "../statistics.ts";
import { formatNumber, formatValue } from "./format-value.ts";
import { describeGrowth } from "./describe-growth.ts";
import { FLOOR, judgeFigure, ratiosTo } from "./judge-figure.ts";

const NAMES: readonly PeerName[] = ["raw", "reprise", "cf-agents", "row-per-token", "node"];

export function describeCell({ name, title }: Cell, figures: readonly Figure[]): string {
  const growing = figures.filter(({ growth }) => growth);
  const others = figures.filter(({ growth }) => !growth);
  const verdicts = figures.flatMap(judgeFigure).map(({ text }) => `- ${text}`);
  return [
    `## ${name}: ${title}`,
    ...(growing.length > 0 ? [writeTable(describeGrowth(growing))] : []),
    ...(others.length > 0 ? [writeTable(describePeers(others))] : []),
    ...(verdicts.length > 0 ? [verdicts.join("\n")] : []),
  ].join("\n\n");
}

function writeTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const table = [head, head.map(() => "---"), ...rows];
  return table.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function describePeers(figures: readonly Figure[]): readonly (readonly string[])[] {
  const measured = NAMES.filter((peer) => figures.some(({ samples }) => samples[peer]));
  const rows = figures.map((figure) => [
    figure.name,
    ...measured.map((peer) => describeSamples(figure, peer)),
  ]);
  return [["", ...measured], ...rows];
}

/**
 * The median, with the ratio to the floor and its minimum and maximum over the rounds; without a floor, those of the
 * values.
 */
function describeSamples({ samples, unit }: Figure, peer: PeerName): string {
  const values = samples[peer];
  if (!values) return "";
  const median = formatValue(quantile(values, 0.5), unit);
  const ratios = ratiosTo(samples, peer, FLOOR);
  // Slow peers have fewer rounds.
  const rounds = Math.max(...Object.values(samples).map(({ length }) => length));
  const fewer = values.length < rounds ? `, ${values.length} of ${rounds} rounds` : "";
  if (peer === FLOOR || ratios.length === 0) return `${median}${spread(values)}${fewer}`;
  return `${median}, ${formatNumber(quantile(ratios, 0.5))} ×${spread(ratios)}${fewer}`;
}

function spread(values: readonly number[]): string {
  if (values.length < 2) return "";
  return ` (${formatNumber(Math.min(...values))}–${formatNumber(Math.max(...values))})`;
}
