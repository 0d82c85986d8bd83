import { namesTakenBy, type AgentOfSession } from "../../protocol/tool-groups/contract.ts";
import type { ToolDefinition } from "../../protocol/tools/contract.ts";

/**
 * The agent with the session's own tools behind its own. Where a version of the agent has brought a tool of the same
 * name since, its own or one that the platform gives it, that one counts.
 */
export function equippedAgent<Agent extends AgentOfSession>({
  agent,
  tools,
}: {
  readonly agent: Agent;
  readonly tools?: readonly ToolDefinition[] | undefined;
}): Agent {
  if (!tools || tools.length === 0) return agent;
  const taken = namesTakenBy(agent);
  const others = tools.filter((tool) => tool.type !== "mcp" && !taken.has(tool.name));
  return { ...agent, tools: [...agent.tools, ...others] };
}
