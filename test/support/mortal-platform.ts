// A platform of a test file's own, which its tests kill with kill -9 and start again.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll } from "vitest";

import { listProcesses } from "../../scripts/processes.ts";
import { readDevFile, startProcess, type DevFile } from "./start-process.ts";

export interface MortalPlatform {
  /**
   * The address of the platform that runs; starts it on the same state when none runs. The port may be another one then.
   */
  running(): Promise<DevFile>;
  /** A tenant of the test's own. @returns a live key with all scopes. */
  createTenant(): Promise<string>;
  /** Kills everything of it: its program and the runtime beneath. */
  kill(): Promise<void>;
}

/** Until the end of the file, whose tests share it: one finds it as the one before has left it. */
export function mortalPlatform(): MortalPlatform {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "reprise-mortal-")));
  let started: ReturnType<typeof startProcess> | undefined;

  async function kill(): Promise<void> {
    started?.kill("SIGKILL");
    await started?.ended;
    started = undefined;
    for (const { pid, command } of listProcesses()) {
      if (command.startsWith(`${folder}/workerd `)) process.kill(pid, "SIGKILL");
    }
  }

  async function running(): Promise<DevFile> {
    if (started === undefined) {
      started = startProcess(folder, "0");
      await started.ready;
      if (!started.stdout()) throw new Error(`the platform did not start: ${started.stderr()}`);
    }
    return readDevFile(folder);
  }

  async function create<Body>(path: string, body: object): Promise<Body> {
    const { base_url, operator_key } = await running();
    const response = await fetch(base_url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${operator_key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Body;
  }

  afterAll(async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    running,
    kill,
    async createTenant() {
      const { id } = await create<{ id: string }>("/v1/tenants", { name: "A test's tenant" });
      return (await create<{ api_key: string }>("/v1/api-keys", { tenant_id: id })).api_key;
    },
  };
}
