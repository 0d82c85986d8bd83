// The agents in code that definitions of this deployment may name in `code_agent`. The operator of a deployment adds them
// here; docs/agents-in-code.md has their contract, and the router is an example.
import type { CodeAgent } from "../agent/code/code-agent.ts";
import { ROUTER_AGENT } from "./agents/router-agent.ts";

export const DEPLOYED_AGENTS: readonly CodeAgent[] = [ROUTER_AGENT];

/** The code of an agent; undefined when the deployment has none of this name. */
export function findCodeAgent(name: string | null | undefined): CodeAgent | undefined {
  return name === undefined ? undefined : DEPLOYED_AGENTS.find((agent) => agent.name === name);
}
