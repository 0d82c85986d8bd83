// The bounds of the platform as a table for people, made from where they stand in the code: nobody keeps two lists.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../protocol/", import.meta.url));
const BEGIN = "<!-- bounds: written by `npm run docs:limits` -->";
const END = "<!-- end of the bounds -->";
const BOUND = /\/\*\*((?:(?!\*\/)[^])*)\*\/\nexport const ([A-Z][A-Z_\d]*)\b/g;

/**
 * A page with its table as the code has it now.
 * @param page Markdown that holds both marks.
 * @throws when a mark is missing, or a bound has no comment.
 */
export async function withBounds(page: string): Promise<string> {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`the page lacks ${BEGIN} or ${END}`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${await describeBounds()}\n\n${page.slice(end)}`;
}

async function describeBounds(): Promise<string> {
  const files = readdirSync(FOLDER).filter((name) => /^limits(-[a-z-]+)?\.ts$/.test(name));
  const parts = await Promise.all(files.toSorted().map(describeFile));
  return parts.join("\n\n");
}

async function describeFile(name: string): Promise<string> {
  const source = readFileSync(`${FOLDER}${name}`, "utf8");
  const values = (await import(`${FOLDER}${name}`)) as Readonly<Record<string, unknown>>;
  const comments = new Map(
    [...source.matchAll(BOUND)].map(([, comment = "", bound = ""]) => [bound, plain(comment)]),
  );
  const rows = Object.entries(values).map(([bound, value]) => {
    const comment = comments.get(bound);
    if (comment === undefined) throw new Error(`${name}: ${bound} has no comment before it`);
    return [bound, `| \`${bound}\` | ${show(value)} | ${comment} |`] as const;
  });
  // Members of a module come by name; the file has them in an order that means something.
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

/** A comment's text in one line. */
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
