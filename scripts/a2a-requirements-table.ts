// Generates the table of docs/a2a.md: what the A2A specification demands, and the test that holds each demand. A test says
// which one it holds by the id at the beginning of its title.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BEGIN = "<!-- requirements: written by `npm run docs:a2a` -->";
const END = "<!-- end of the requirements -->";

interface A2aRequirement {
  /** The section of specification.md, or the message of a2a.proto, and a number in it. */
  readonly id: string;
  /** Line in that file, at the commit that the page names. */
  readonly line: number;
  /** Others are authors of the specification, of SDKs and of further bindings. */
  readonly binds: "server" | "card" | "client" | "others";
  /** In short, and not in the specification's words. */
  readonly says: string;
}

interface A2aTest {
  readonly id: string;
  readonly path: string;
  readonly claim: string;
}

/** Ids as titles of tests have them. */
const TITLE =
  /^\s*(?:it|test)\(\s*"((?:\d+(?:\.\d+)*|[A-Z]\w*)(?:\.\d+)?-\d+): ((?:[^"\\]|\\.)+)"/gm;

/** In the order of the specification. */
function listRequirements(): readonly A2aRequirement[] {
  const path = join(ROOT, "test/conformance/a2a/requirements.json");
  return JSON.parse(readFileSync(path, "utf8")) as readonly A2aRequirement[];
}

/** Titles of all suites. */
function listTests(): readonly A2aTest[] {
  const paths = readdirSync(join(ROOT, "test"), { recursive: true, encoding: "utf8" })
    .map((name) => `test/${name.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".test.ts") && /a2a/.test(path))
    .filter((path) => !path.includes("/node_modules/"))
    .toSorted();
  return paths.flatMap((path) =>
    [...readFileSync(join(ROOT, path), "utf8").matchAll(TITLE)].map(([, id = "", claim = ""]) => ({
      id,
      path,
      claim: claim.replaceAll("\\", ""),
    })),
  );
}

/** A line for each requirement of servers, cards and clients without its one test, and for each test of none. */
export function findA2aProblems(): string[] {
  const tests = Map.groupBy(listTests(), ({ id }) => id);
  const ids = new Set(listRequirements().map(({ id }) => id));
  const unheld = listRequirements().flatMap(({ id, binds }) => {
    const { length } = tests.get(id) ?? [];
    const isHeld = binds === "others" ? length <= 1 : length === 1;
    return isHeld ? [] : [`${id} has ${length} tests`];
  });
  const strays = [...tests.keys()].filter((id) => !ids.has(id));
  return [...unheld, ...strays.map((id) => `${id} is a test of no requirement`)];
}

/**
 * The page with an up-to-date table.
 * @param page Markdown with both marks.
 * @throws when a mark is missing.
 */
export function withA2aRequirements(page: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`the page lacks ${BEGIN} or ${END}`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${describe()}\n\n${page.slice(end)}`;
}

function describe(): string {
  const tests = Map.groupBy(listTests(), ({ id }) => id);
  const rows = listRequirements().map(({ id, line, binds, says }) => {
    const held = (tests.get(id) ?? []).map(({ path, claim }) => `${claim} (\`${path}\`)`);
    const test = held.length === 0 ? "–" : held.join("; ");
    return `| ${id} | ${line} | ${binds} | ${says} | ${test} |`;
  });
  return [
    "| Id | Line | Binds | What is demanded, in short | Test |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}
