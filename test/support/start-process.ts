// `npm start` as a child process, the way a person runs it.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The content of dev.json. */
export interface DevFile {
  readonly base_url: string;
  readonly operator_key: string;
  readonly api_key: string;
  readonly agent_id: string;
}

export interface Started {
  readonly pid: number;
  /** Resolves when it says that it runs, or when it has ended. */
  readonly ready: Promise<void>;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  /** Kills everything that `npm start` began, as a machine does that loses its power. Only with a group of its own. */
  killGroup(): Promise<void>;
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/**
 * The compiled form of the packages of a start, kept by the first platform that ends by itself: 0.6 of 3.9 s of
 * processor time.
 */
const COMPILED = join(ROOT, "dist/compile-cache");

/**
 * @param port What `PORT` says; "0" takes any free one.
 * @param launcher "npm" for the whole of `npm start`, whose pid is then npm's; "node" for the script alone.
 * @param hasOwnGroup Makes it the leader of a process group.
 * @param environment Further variables.
 * @param root The folder of the project, of this release when left out.
 */
export function startProcess(
  stateFolder: string,
  port: string,
  launcher: "node" | "npm" = "node",
  hasOwnGroup = false,
  environment: Readonly<Record<string, string>> = {},
  root: string = ROOT,
): Started {
  const [program, parameters] =
    launcher === "npm"
      ? ["npm", ["--silent", "start"]]
      : [process.execPath, [join(root, "scripts/start.ts")]];
  const child = spawn(program, parameters, {
    cwd: root,
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: COMPILED,
      ...environment,
      REPRISE_STATE: stateFolder,
      PORT: port,
      npm_lifecycle_event: "",
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: hasOwnGroup,
  });
  const output = { stdout: "", stderr: "" };
  let markReady: () => void = () => undefined;
  const isReady = new Promise<void>((resolve) => (markReady = resolve));
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output.stdout += text;
    if (/curl -N .*\n/.test(output.stdout)) markReady();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  return {
    pid: child.pid!,
    ready: Promise.race([isReady, ended.then(() => undefined)]),
    ended,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    kill: (signal) => child.kill(signal),
    async killGroup() {
      if (hasOwnGroup && child.exitCode === null && child.signalCode === null) {
        process.kill(-child.pid!, "SIGKILL");
      }
      await ended;
    },
  };
}

export function readDevFile(stateFolder: string): DevFile {
  return JSON.parse(readFileSync(join(stateFolder, "dev.json"), "utf8")) as DevFile;
}
