// MCP's conformance suite as a program: which scenarios it has, and what one of them finds. It is a package of its own,
// because it brings a hundred others.
import { execFile } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const PROGRAM = join(FOLDER, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
/** Of Node: to compile the suite's packages anew for each scenario took a third of the scenario's time. */
const COMPILE_CACHE = join(FOLDER, "node_modules/.cache/compiled");

/** The newest version of each era. */
const ERAS = ["2025-11-25", "2026-07-28"] as const;
const EXTENSION = "extension";

export interface Scenario {
  readonly name: string;
  readonly of: "server" | "client" | "authorization server";
  /** Versions of the protocol, or `extension`. */
  readonly versions: readonly string[];
}

/** The versions that a scenario is run in: of each era that it has, else the newest. Extensions belong to both. */
export function versionsOf({ versions }: Scenario): readonly string[] {
  if (versions.includes(EXTENSION)) return ERAS;
  const newest = ERAS.filter((era) => versions.includes(era));
  return newest.length > 0 ? newest : versions.slice(-1);
}

export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
  readonly details?: unknown;
}

/** @throws When the package is not installed. */
function run(parameters: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<string> {
  if (!existsSync(PROGRAM)) {
    const command = "npm ci --ignore-scripts --prefix test/matrix/mcp-conformance";
    throw new Error(`${PROGRAM} is missing: run \`${command}\``);
  }
  const env = { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE, ...environment };
  return new Promise((resolve) => {
    // The suite ends with 1 when a check fails: the checks are read from its files.
    execFile(process.execPath, [PROGRAM, ...parameters], { env }, (_error, stdout, stderr) =>
      resolve(`${stdout}\n${stderr}`),
    );
  });
}

export async function listScenarios(): Promise<readonly Scenario[]> {
  const scenarios: Scenario[] = [];
  let of: Scenario["of"] = "server";
  for (const line of (await run(["list"])).split("\n")) {
    const [, heading] = /^(Server|Client|Authorization server) scenarios/.exec(line) ?? [];
    if (heading !== undefined) of = heading.toLowerCase() as Scenario["of"];
    const [, name, versions] = /^ {2}- (\S+) \[([^\]]*)\]$/.exec(line) ?? [];
    if (name !== undefined && versions !== undefined) {
      scenarios.push({ name, of, versions: versions.split(",") });
    }
  }
  return scenarios;
}

/** @param parameters Whom it tests: `--url` of a server, or `--command` of a client. */
export async function runScenario(
  { name, of, versions }: Scenario,
  version: string,
  parameters: readonly string[],
  environment?: NodeJS.ProcessEnv,
): Promise<{ readonly checks: readonly Check[]; readonly output: string }> {
  const folder = mkdtempSync(join(tmpdir(), "reprise-mcp-conformance-"));
  try {
    const common = ["--scenario", name, "--spec-version", version, "-o", folder];
    // The suite takes such scenarios for those of no version.
    if (versions.includes(EXTENSION)) common.push("--force");
    const said = await run([of, ...parameters, ...common], environment);
    // The suite shows what a client has printed only when that ended with an error.
    const printed = globSync(`${folder}/**/stdout.txt`).map((file) => readFileSync(file, "utf8"));
    const output = [said, ...printed].join("\n");
    const [file] = globSync(`${folder}/**/checks.json`);
    if (file === undefined) return { checks: [], output };
    return { checks: JSON.parse(readFileSync(file, "utf8")) as readonly Check[], output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
