// Runs the snippets of a page as a reader would: in one shell, in order, against a running platform.
import { spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { withOwnPorts } from "./own-ports.ts";
import type { Snippet } from "./read-snippets.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SHELL = new Set(["sh", "bash"]);
const SCRIPTS = new Set(["ts", "js"]);
/** Between the outputs of two snippets. */
const MARK = "--- snippet ";

export interface SnippetRun {
  readonly snippets: readonly Snippet[];
  /** Files of the state folder that `npm start` would have written, by name. */
  readonly state: Readonly<Record<string, object>>;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * The ports that the snippets' own servers listen on are replaced by free ones.
 * @returns what went wrong, a line for each snippet; empty when all of them do what they say.
 */
export async function runSnippets(run: SnippetRun): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "reprise-snippets-"));
  const snippets = await withOwnPorts(run.snippets);
  try {
    prepareFolder(folder, run.state);
    const { output, code } = await runShell(folder, toScript(folder, snippets), run.environment);
    const parts = new Map(
      output
        .split(MARK)
        .slice(1)
        .map((part) => {
          const end = part.indexOf("\n");
          return [Number(part.slice(0, end)), part.slice(end + 1)];
        }),
    );
    const wrong: string[] = [];
    for (const { line, expected } of snippets) {
      const part = parts.get(line);
      if (part === undefined) wrong.push(`line ${line} was not reached`);
      for (const text of expected) {
        if (part !== undefined && !part.includes(text)) {
          wrong.push(`line ${line} does not print ${text}, but: ${part.slice(-2_000)}`);
        }
      }
    }
    if (code !== 0) wrong.push(`it ended with ${code}: ${output.slice(-2_000)}`);
    return wrong;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function prepareFolder(folder: string, state: SnippetRun["state"]): void {
  mkdirSync(join(folder, ".reprise"));
  for (const [name, content] of Object.entries(state)) {
    writeFileSync(join(folder, ".reprise", name), `${JSON.stringify(content, null, 2)}\n`);
  }
  writeFileSync(join(folder, "package.json"), '{"type": "module"}\n');
  for (const name of ["node_modules", "examples"])
    symlinkSync(join(ROOT, name), join(folder, name));
}

/** One script of the shell. Requests that are refused end it, as does every other failure. */
function toScript(folder: string, snippets: readonly Snippet[]): string {
  const shell = snippets.filter(({ language }) => SHELL.has(language)).map(({ code }) => code);
  const steps = snippets.map(({ language, code, line, expected }) => {
    const mark = `echo; echo "${MARK}${line}"`;
    if (!SCRIPTS.has(language)) return `${mark}\n${code}`;
    const [, name] = /^\/\/ ([\w-]+\.[tj]s)$/m.exec(code.split("\n")[0] ?? "") ?? [];
    const file = name ?? `line-${line}.${language}`;
    writeFileSync(join(folder, file), `${code}\n`);
    const isRunLater = name !== undefined && shell.some((text) => text.includes(name));
    if (isRunLater && expected.length > 0) throw new Error(`line ${line}: put it at the command`);
    return isRunLater ? mark : `${mark}\nnode ${file}`;
  });
  return [
    "set -euo pipefail",
    'curl() { command curl --fail-with-body --max-time 60 -S "$@"; }',
    ...steps,
  ].join("\n");
}

function runShell(
  folder: string,
  script: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly output: string; readonly code: number | null }> {
  const {
    BASE_URL: _url,
    API_KEY: _key,
    AGENT_ID: _agent,
    REPRISE_STATE: _state,
    ...rest
  } = process.env;
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-s"], {
      cwd: folder,
      env: { ...rest, PATH: `${ROOT}node_modules/.bin:${process.env["PATH"]}`, ...environment },
      stdio: ["pipe", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    child.once("error", reject);
    child.once("close", (code) => resolve({ output, code }));
    child.stdin.end(script);
  });
}
