// The conformance project's platform: one for all its files, on a free port and in a folder of its own.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { TestProject } from "vitest/node";

import { startDemoTools } from "../../scripts/demo-tools.ts";
import { readDevFile, startProcess } from "./start-process.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Without a slash at its end. */
    readonly baseUrl: string;
    readonly operatorKey: string;
    /** The sign-in link to the console that it has printed: good for one sign-in. */
    readonly consoleLink: string;
    /** The refund desk's tools: `<url>/lookup_order` and `<url>/refund_order`. */
    readonly toolsUrl: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stateFolder = mkdtempSync(join(tmpdir(), "reprise-conformance-"));
  const platform = startProcess(stateFolder, "0");
  const tools = await startDemoTools(0);
  async function tearDown(): Promise<void> {
    platform.kill("SIGTERM");
    await Promise.all([platform.ended, tools.stop()]);
    rmSync(stateFolder, { recursive: true, force: true });
  }

  await platform.ready;
  if (!platform.stdout()) {
    await tearDown();
    throw new Error(`the platform did not start: ${platform.stderr()}`);
  }
  const { base_url: baseUrl, operator_key: operatorKey } = readDevFile(stateFolder);
  project.provide("baseUrl", baseUrl);
  project.provide("operatorKey", operatorKey);
  project.provide("consoleLink", /^Console +(\S+)$/m.exec(platform.stdout())?.[1] ?? "");
  project.provide("toolsUrl", `http://127.0.0.1:${tools.port}`);
  return tearDown;
}
