// An agent in code of a deployment, for the sessions of one test file.
import { afterAll, beforeAll } from "vitest";

import type { CodeAgent } from "../../../agent/code/code-agent.ts";
import { DEPLOYED_AGENTS } from "../../../tools/deployed-agents.ts";

export function deployAgent(agent: CodeAgent): void {
  const deployed = DEPLOYED_AGENTS as CodeAgent[];
  beforeAll(() => void deployed.push(agent));
  afterAll(() => void deployed.splice(deployed.indexOf(agent), 1));
}
