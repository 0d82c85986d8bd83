// Builds the console into `dist/assets/console/`, when what is there is missing or older than its sources.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Sources of the files. */
const SOURCES = ["console", "sdk", "protocol", "package-lock.json"];
/** The folder of wrangler's `[assets]`; the console is served below its own name. */
const ASSETS = join(ROOT, "dist/assets");
export const CONSOLE_FILES = join(ASSETS, "console");
/** Beside the folder, since everything in it is served. */
const STAMP = join(ROOT, "dist/console.stamp");
const LOCK = join(ROOT, "dist/console.lock");
const POLL_MS = 50;

/**
 * Several processes may call it at once, such as the platforms of a test: one builds, the others wait. The files are
 * swapped as a whole, so that no request gets half of a build.
 * @returns whether it had to build.
 * @throws Error with the build's output when it fails.
 */
export async function buildConsole(): Promise<boolean> {
  const wanted = digestSources();
  mkdirSync(ASSETS, { recursive: true });
  for (;;) {
    if (isBuilt(wanted)) return false;
    if (takeLock()) break;
    await sleep(POLL_MS);
  }
  const draft = join(ROOT, `dist/console.${process.pid}`);
  const old = `${draft}.old`;
  try {
    await runVite(draft);
    if (existsSync(CONSOLE_FILES)) renameSync(CONSOLE_FILES, old);
    renameSync(draft, CONSOLE_FILES);
    writeFileSync(STAMP, wanted);
    return true;
  } finally {
    for (const folder of [draft, old]) rmSync(folder, { recursive: true, force: true });
    rmSync(LOCK, { force: true });
  }
}

function isBuilt(wanted: string): boolean {
  return (
    existsSync(join(CONSOLE_FILES, "index.html")) &&
    existsSync(STAMP) &&
    readFileSync(STAMP, "utf8") === wanted
  );
}

/** The lock names its process: that of one that was killed is taken over. */
function takeLock(): boolean {
  try {
    writeFileSync(LOCK, `${process.pid}`, { flag: "wx" });
    return true;
  } catch {
    if (!isAlive(readLock())) rmSync(LOCK, { force: true });
    return false;
  }
}

function readLock(): number {
  try {
    return Number(readFileSync(LOCK, "utf8"));
  } catch {
    // Given back meanwhile.
    return 0;
  }
}

function isAlive(pid: number): boolean {
  // Written and not filled yet.
  if (pid === 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** By content: a fresh clone has new times and the same files. */
function digestSources(): string {
  const hash = createHash("sha256");
  for (const source of SOURCES) {
    for (const path of listFiles(source)) hash.update(path).update(readFileSync(join(ROOT, path)));
  }
  return hash.digest("hex");
}

function listFiles(source: string): readonly string[] {
  if (!existsSync(join(ROOT, source))) return [];
  if (source.includes(".")) return [source];
  return readdirSync(join(ROOT, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .sort();
}

/** A process of its own, so that a start that finds the files does not load the bundler. */
function runVite(folder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [join(ROOT, "node_modules/vite/bin/vite.js"), "build", "--config", "console/vite.config.ts"],
      {
        cwd: ROOT,
        env: { ...process.env, CONSOLE_OUTPUT: folder, NODE_ENV: "production" },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the console could not be built:\n${output}`));
    });
  });
}
