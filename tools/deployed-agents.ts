// The agents in code that definitions of this deployment may name in `code_agent`. The operator of a deployment adds them
// here; docs/agents-in-code.md has their contract, and the router is an example.
import type { CodeAgent } from "../agent/code/code-agent.ts";
import type { AgentDefinition } from "../protocol/agents/contract.ts";
import { httpAgentOf } from "./agents/http-agent.ts";
import { ROUTER_AGENT } from "./agents/router-agent.ts";

export const DEPLOYED_AGENTS: readonly CodeAgent[] = [ROUTER_AGENT];

/** The code of an agent; undefined when the deployment has none of this name, and for one over HTTP. */
export function findCodeAgent(name: AgentDefinition["code_agent"]): CodeAgent | undefined {
  return typeof name !== "string"
    ? undefined
    : DEPLOYED_AGENTS.find((agent) => agent.name === name);
}

/** Whether the agent in code says what a reply says after a user has interrupted it. */
export function handlesInterrupt(code_agent: AgentDefinition["code_agent"]): boolean {
  const served = httpAgentOf(code_agent);
  return served
    ? served.handle_interrupt
    : findCodeAgent(code_agent)?.handle_interrupt !== undefined;
}
