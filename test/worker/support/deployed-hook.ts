// A hook of a deployment, for the sessions of one test file.
import { afterAll, beforeAll } from "vitest";

import { DEPLOYED_HOOKS } from "../../../tools/deployed-hooks.ts";
import type { CodeHook } from "../../../tools/hooks/code-hook.ts";

export function deployHook(hook: CodeHook): void {
  const deployed = DEPLOYED_HOOKS as CodeHook[];
  beforeAll(() => void deployed.push(hook));
  afterAll(() => void deployed.splice(deployed.indexOf(hook), 1));
}
