// Generates the table of limits in docs/security/bounds.md from the files of limits in protocol/, so that they are written
// down once.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../protocol/", import.meta.url));
const FILES = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => /^limits\/|(?:\/|-)limits\.ts$/.test(name) && name.endsWith(".ts"))
  .toSorted();
/** The constants of each file of limits, by its path below protocol/. */
const LIMITS = new Map<string, Readonly<Record<string, unknown>>>(
  await Promise.all(
    FILES.map(
      async (name) =>
        [name, (await import(`../protocol/${name}`)) as Record<string, unknown>] as const,
    ),
  ),
);
const BEGIN = "<!-- bounds: written by `npm run docs:limits` -->";
const END = "<!-- end of the bounds -->";
const BOUND = /\/\*\*((?:(?!\*\/)[^])*)\*\/\nexport const ([A-Z][A-Z_\d]*)\b/g;

/**
 * The page with an up-to-date table.
 * @param page Markdown with both marks.
 * @throws when a mark is missing or a limit has no comment.
 */
export function withBounds(page: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`the page lacks ${BEGIN} or ${END}`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${describeBounds()}\n\n${page.slice(end)}`;
}

function describeBounds(): string {
  return [...LIMITS].map(([name, values]) => describeFile(name, values)).join("\n\n");
}

function describeFile(name: string, values: Readonly<Record<string, unknown>>): string {
  const source = readFileSync(`${FOLDER}${name}`, "utf8");
  const comments = new Map(
    [...source.matchAll(BOUND)].map(([, comment = "", bound = ""]) => [bound, plain(comment)]),
  );
  const rows = Object.entries(values).map(([bound, value]) => {
    const comment = comments.get(bound);
    if (comment === undefined) throw new Error(`${name}: ${bound} has no comment before it`);
    return [bound, `| \`${bound}\` | ${show(value)} | ${comment} |`] as const;
  });
  // A module's members are sorted by name; the table uses the order of the file.
  const order = [...comments.keys()];
  const sorted = rows.toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  const [, about = ""] = /^\/\/ (.*(?:\n\/\/ .*)*)/.exec(source) ?? [];
  return [
    `### \`protocol/${name}\``,
    "",
    about.replaceAll("\n// ", " "),
    "",
    "| Bound | Value | Unit and reason |",
    "|---|---:|---|",
    ...sorted.map(([, row]) => row),
  ].join("\n");
}

/** The text of a comment on one line. */
function plain(comment: string): string {
  return comment
    .replaceAll(/^\s*\* ?/gm, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll("|", "\\|")
    .trim();
}

function show(value: unknown): string {
  if (typeof value === "number") return value.toLocaleString("en-US", { maximumFractionDigits: 6 });
  if (Array.isArray(value)) return value.map(show).join(", ");
  return `\`${JSON.stringify(value)}\``;
}
