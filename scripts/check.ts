// `npm run check`: runs all static checks and prints a line for each; a failed one prints its output and fails the run.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { MODEL_PRESETS } from "../model/presets/model-presets.ts";
import { CONCEPTS } from "../protocol/concepts.ts";
import { findA2aProblems, withA2aRequirements } from "./a2a-requirements-table.ts";
import { buildConsole, CONSOLE_FILES } from "./console/build-console.ts";
import { MAX_FIRST_LOAD_BYTES, measureFirstLoad } from "./console/measure-first-load.ts";
import { findLayerProblems } from "./find-layer-problems.ts";
import { findRoomProblems } from "./find-room-problems.ts";
import { findTwins, readSchemas } from "./find-twins.ts";
import { findHeadlessComments } from "./headless-comments.ts";
import { FOLDER_IMPORTS, ROOM_LAYERS } from "./layers.ts";
import { describePresetAge } from "./preset-age.ts";
import { checkRealisticAbility } from "./realistic-ability/check-realistic-ability.ts";
import { CONCEPT_FOLDERS, ROOM_EXCEPTIONS } from "./rooms.ts";
import { checkSdk } from "./sdk/check-sdk.ts";
import { withBounds } from "./limits-table.ts";
import { measureDocs } from "./measure-docs.ts";
import { withWebhookEvents } from "./webhook-events-table.ts";
import { writeSite } from "./write-site.ts";

interface Gate {
  readonly name: string;
  run(): Promise<GateResult>;
}

interface GateResult {
  readonly isGood: boolean;
  readonly output: string;
  /** Shown behind the gate's name when it is good. */
  readonly note?: string;
}

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The largest Worker of the platform's free plan, compressed; the paid plan takes 10 MiB. */
const MAX_BUNDLE_KIB = 3_072;

/** A headless first word is right now and then. */
const MAX_HEADLESS_COMMENTS = 5;

/** The slowest first, so that they run in parallel with the others. */
const GATES: readonly Gate[] = [
  tool("lint", "oxlint", ["--type-aware", "--deny-warnings"]),
  { name: "package of the SDK", run: checkPackage },
  tool("dead code", "knip", ["--no-progress"]),
  { name: "bundle", run: checkBundle },
  { name: "realistic ability", run: () => checkRealisticAbility(ROOT) },
  tool("types", "tsc", ["-p", "tsconfig.json"]),
  tool("types, pure", "tsc", ["-p", "tsconfig.pure.json"]),
  tool("types, node", "tsc", ["-p", "tsconfig.node.json"]),
  tool("types, sdk", "tsc", ["-p", "tsconfig.sdk.json"]),
  tool("types, console", "tsc", ["-p", "tsconfig.console.json"]),
  tool("types, worker tests", "tsc", ["-p", "tsconfig.worker-tests.json"]),
  tool("format", "oxfmt", ["--check"]),
  { name: "lockfile", run: checkLockfile },
  { name: "table of bounds", run: checkBounds },
  { name: "table of webhook events", run: checkWebhookEvents },
  { name: "requirements of A2A", run: checkA2aRequirements },
  { name: "sizes of docs", run: checkDocs },
  { name: "layers", run: checkLayers },
  { name: "rooms of concepts", run: checkRooms },
  { name: "shapes written once", run: checkTwins },
  { name: "comments", run: checkComments },
  { name: "first load of the console", run: checkFirstLoad },
  { name: "age of the presets", run: tellPresetAge },
];

function tool(name: string, program: string, parameters: readonly string[]): Gate {
  return { name, run: () => runTool(program, parameters) };
}

function runTool(
  program: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<GateResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(`${ROOT}node_modules/.bin/${program}`, parameters, {
      cwd: ROOT,
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    child.once("error", reject);
    child.once("close", (code) => resolve({ isGood: code === 0, output }));
  });
}

/** The bundle that `wrangler deploy` would upload, made without an account and without the network. */
async function checkBundle(): Promise<GateResult> {
  // The console's files are uploaded too.
  await buildConsole();
  const folder = mkdtempSync(join(tmpdir(), "reprise-bundle-"));
  try {
    const { isGood, output } = await runTool(
      "wrangler",
      ["deploy", "--dry-run", "--outdir", folder],
      { WRANGLER_SEND_METRICS: "false", WRANGLER_WRITE_LOGS: "false", CI: "true" },
    );
    const size = Number(/gzip: ([\d.]+) KiB/.exec(output)?.[1]);
    return {
      isGood: isGood && size <= MAX_BUNDLE_KIB,
      output: `${output}\nThe limit is ${MAX_BUNDLE_KIB} KiB after gzip.`,
      note: `${size} KiB after gzip, of ${MAX_BUNDLE_KIB}`,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The package that `npm run build:sdk` makes can be published. */
async function checkPackage(): Promise<GateResult> {
  const problems = await checkSdk();
  return { isGood: problems.length === 0, output: problems.join("\n") };
}

/** The table of limits in docs/security/bounds.md must match the code. */
async function checkBounds(): Promise<GateResult> {
  const page = readFileSync(`${ROOT}docs/security/bounds.md`, "utf8");
  return {
    isGood: withBounds(page) === page,
    output:
      "docs/security/bounds.md lists other bounds than protocol/ has: run `npm run docs:limits`",
  };
}

/** The table of webhook events in docs/webhooks.md must match the shapes. */
async function checkWebhookEvents(): Promise<GateResult> {
  const page = readFileSync(`${ROOT}docs/webhooks.md`, "utf8");
  return {
    isGood: withWebhookEvents(page) === page,
    output: "docs/webhooks.md lists other events than protocol/ has: run `npm run docs:webhooks`",
  };
}

/** Each requirement on A2A's server has one test, and the table of docs/a2a.md names it. */
async function checkA2aRequirements(): Promise<GateResult> {
  const page = readFileSync(`${ROOT}docs/a2a.md`, "utf8");
  const problems = findA2aProblems();
  if (withA2aRequirements(page) !== page) {
    problems.push("docs/a2a.md names other tests than there are: run `npm run docs:a2a`");
  }
  return { isGood: problems.length === 0, output: problems.join("\n") };
}

/** Pages, paragraphs and cells that a reader can oversee. The changelog is read by version. */
async function checkDocs(): Promise<GateResult> {
  const names = readdirSync(`${ROOT}docs`, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name.replaceAll("\\", "/")}`);
  const paths = [...names, "README.md", "AGENTS.md"];
  const pages = new Map(paths.map((path) => [path, readFileSync(`${ROOT}${path}`, "utf8")]));
  const { long, problems } = measureDocs(pages);
  const note = `${long.pages} pages over 20 kB, ${long.paragraphs} paragraphs over 600 characters, ${long.cells} cells over 200`;
  return { isGood: problems.length === 0, output: problems.join("\n"), note };
}

/** Imports go one way, between folders and between the rooms of each. */
async function checkLayers(): Promise<GateResult> {
  const sources = readSources(Object.keys(FOLDER_IMPORTS));
  const problems = findLayerProblems(sources, { folders: FOLDER_IMPORTS, rooms: ROOM_LAYERS });
  return { isGood: problems.length === 0, output: problems.join("\n") };
}

/** Each concept has one room in a folder, and none of its files are elsewhere. */
async function checkRooms(): Promise<GateResult> {
  const paths = [...readSources([...Object.keys(FOLDER_IMPORTS), "test"]).keys()].filter(
    (path) => !path.startsWith("test/matrix/"),
  );
  const { problems, smallFolders } = findRoomProblems([...new Set(paths)], {
    concepts: CONCEPTS,
    folders: CONCEPT_FOLDERS,
    exceptions: ROOM_EXCEPTIONS,
  });
  const note = `${CONCEPTS.length} concepts; besides their rooms ${smallFolders.length} folders have one or two files: ${smallFolders.join(", ")}`;
  return { isGood: problems.length === 0, output: problems.join("\n"), note };
}

/** A shape is a schema, and its type is inferred. */
async function checkTwins(): Promise<GateResult> {
  const sources = readSources(Object.keys(FOLDER_IMPORTS));
  const schemas = await readSchemas(
    ROOT,
    [...sources.keys()].filter((path) => path.startsWith("protocol/")),
  );
  const twins = findTwins(sources, schemas);
  return {
    isGood: twins.length === 0,
    output: `${twins.join("\n")}\nInfer the type from the schema (protocol/messages/frozen.ts), or give the interface a name of its own.`,
    note: `${twins.length} twins of ${schemas.size} schemas`,
  };
}

/** Comments begin with the noun of what they explain. */
async function checkComments(): Promise<GateResult> {
  const production = Object.keys(FOLDER_IMPORTS).filter((folder) => !folder.includes("/"));
  const sources = readSources([...production, "scripts", "bench", "examples", "test"]);
  const headless = [...sources].flatMap(([path, source]) => findHeadlessComments(path, source));
  return {
    isGood: headless.length <= MAX_HEADLESS_COMMENTS,
    output: `comments must begin with the noun of what they explain:\n${headless.join("\n")}`,
    note: `${headless.length} begin with What, It or the like, of ${MAX_HEADLESS_COMMENTS}`,
  };
}

/** The text of each TypeScript file below the folders, by its path from the root of the repository. */
function readSources(folders: readonly string[]): ReadonlyMap<string, string> {
  const paths = folders.flatMap((folder) =>
    readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
      .filter((path) => /\.tsx?$/.test(path) && !path.includes("/node_modules/")),
  );
  return new Map(paths.map((path) => [path, readFileSync(`${ROOT}${path}`, "utf8")]));
}

/** The bytes that a browser loads until the console's first page can be used. */
async function checkFirstLoad(): Promise<GateResult> {
  await buildConsole();
  const bytes = measureFirstLoad(CONSOLE_FILES);
  const note = `${Math.round(bytes / 1_000)} kB after gzip, of ${MAX_FIRST_LOAD_BYTES / 1_000}`;
  return {
    isGood: bytes <= MAX_FIRST_LOAD_BYTES,
    output: `The first load of the console has ${note}: load what a page needs with the page.`,
    note,
  };
}

/** Presets are facts of a day: their age is shown, and is no failure. */
async function tellPresetAge(): Promise<GateResult> {
  return { isGood: true, output: "", note: describePresetAge(MODEL_PRESETS, Date.now()) };
}

/** URLs in a lockfile would bind all users to one person's registry. */
async function checkLockfile(): Promise<GateResult> {
  const packages = ["runtimes/", "mcp-conformance/", "front-ends/"];
  const folders = ["", ...packages.map((name) => `test/matrix/${name}`)];
  const lines = folders.flatMap((folder) =>
    readFileSync(`${ROOT}${folder}package-lock.json`, "utf8").split("\n"),
  );
  const addresses = lines.filter((line) => line.includes('"resolved": "http'));
  return {
    isGood: addresses.length === 0,
    output: `a package-lock.json holds addresses; install with omit-lockfile-registry-resolved:\n${addresses.join("\n")}`,
  };
}

const failures: string[] = [];
const waiting = [...GATES];
const startedAt = performance.now();

async function work(): Promise<void> {
  for (let gate = waiting.shift(); gate; gate = waiting.shift()) {
    const from = performance.now();
    const { isGood, output, note } = await gate.run();
    const shown = note === undefined ? gate.name : `${gate.name} (${note})`;
    console.log(`${isGood ? "ok    " : "FAILED"} ${seconds(from)}  ${shown}`);
    if (!isGood) failures.push(`\n--- ${gate.name}\n${output.trim()}`);
  }
}

function seconds(from: number): string {
  return `${((performance.now() - from) / 1_000).toFixed(1).padStart(5)} s`;
}

await writeSite();
await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work));
for (const failure of failures) console.log(failure);
console.log(
  `\n${failures.length} of ${GATES.length} checks failed in ${seconds(startedAt).trim()}`,
);
process.exitCode = failures.length === 0 ? 0 : 1;
