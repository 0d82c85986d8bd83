import type { AgentUpdate } from "../../protocol/agents/contract.ts";
import type { AgentStorage } from "../../storage/agents/agent-storage.ts";
import { HttpError } from "../http-error.ts";

/** Refuses an agent that calls one that its tenant lacks, or a version of it. Checks only the members that a change sets. */
export async function checkAgentTools(
  { tools = [] }: Pick<AgentUpdate, "tools">,
  agents: AgentStorage,
): Promise<void> {
  const named = tools.flatMap((tool, index) => (tool.type === "agent" ? [{ ...tool, index }] : []));
  if (named.length === 0) return;
  const missing = await agents.findMissing(named);
  const errors = named.flatMap(({ index, agent_id, version }) => {
    const lacks = missing.find((one) => one.agent_id === agent_id && one.version === version);
    if (!lacks) return [];
    return lacks.isAgentMissing
      ? [{ pointer: `#/tools/${index}/agent_id`, detail: "there is no such agent" }]
      : [{ pointer: `#/tools/${index}/version`, detail: "the agent has no such version" }];
  });
  if (errors.length === 0) return;
  const detail = "the agent calls agents that do not exist; `errors` says where";
  throw new HttpError("validation_failed", detail, { errors });
}
