// The crash matrix as docs/testing/layers.md shows it.
import { SCENARIOS, WAYS } from "./scenarios.ts";

/** A row for each scenario: its durable writes, and how many points each way of dying is tried at. */
export function crashTable(): string {
  const heads = ["What runs", "Its durable writes, in order", ...WAYS.map((way) => `\`${way}\``)];
  const rows = SCENARIOS.map(({ name, writes }) => [
    name,
    writes.map((write) => `\`${write}\``).join(", "),
    ...WAYS.map(() => String(2 * writes.length)),
  ]);
  return [heads, heads.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}
