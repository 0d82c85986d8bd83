// The tools of the crash matrix, for tests in workerd, which cannot listen themselves.
import type { TestProject } from "vitest/node";

import { startEffectServer } from "./effect-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Without a slash at its end. */
    readonly effectServerUrl: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startEffectServer();
  project.provide("effectServerUrl", server.url);
  return () => server.stop();
}
