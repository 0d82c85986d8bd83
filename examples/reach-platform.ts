// Finds a running platform, or starts one.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { connect, StoryFailure } from "./connect.ts";

export interface Platform {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The refund desk's agent. */
  readonly agentId: string;
  /** Stops it if it was started here. */
  leave(): Promise<void>;
}

const START = fileURLToPath(new URL("../scripts/start.ts", import.meta.url));

/** @throws {StoryFailure} when none is running and none can be started. */
export async function reachPlatform(): Promise<Platform> {
  const running = findRunning();
  // An explicit BASE_URL is used even if it does not answer.
  if (running && (process.env["BASE_URL"] || (await answers(running.baseUrl)))) {
    return { ...running, leave: async () => undefined };
  }
  return startPlatform();
}

function findRunning() {
  try {
    return connect();
  } catch {
    return null;
  }
}

async function answers(baseUrl: string): Promise<boolean> {
  return fetch(baseUrl).then(
    () => true,
    () => false,
  );
}

/** Runs `npm start` on a free port with a temporary state folder. */
async function startPlatform(): Promise<Platform> {
  const folder = mkdtempSync(join(tmpdir(), "reprise-example-"));
  const child = spawn(process.execPath, [START], {
    env: { ...process.env, REPRISE_STATE: folder, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  async function leave(): Promise<void> {
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
  // The last line of a successful start. Reading continues, so that the process does not block on its output.
  const lines = createInterface({ input: child.stdout });
  const isRunning = new Promise<boolean>((resolve) => {
    lines.on("line", (line) => line.startsWith("curl -N") && resolve(true));
    lines.once("close", () => resolve(false));
  });
  if (!(await isRunning)) {
    await leave();
    throw new StoryFailure("The platform did not start.");
  }
  const dev = JSON.parse(readFileSync(join(folder, "dev.json"), "utf8")) as {
    readonly base_url: string;
    readonly api_key: string;
    readonly agent_id: string;
  };
  return { baseUrl: dev.base_url, apiKey: dev.api_key, agentId: dev.agent_id, leave };
}
