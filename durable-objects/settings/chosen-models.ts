// The models of a reply: the agent's, or the one that its request asks for.
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import type { ModelDefinition } from "../../protocol/models/contract.ts";
import { mayHaveTool } from "../../protocol/tools/contract.ts";
import type { ReplyModelOptions } from "../../protocol/models/model-options.ts";
import type { SessionInit } from "../api/session-api.ts";
import { equippedAgent } from "../../agent/tools/equipped-agent.ts";
import { refuse, type Result } from "../../protocol/errors.ts";

/** The model to begin with, then the fallbacks; null when the agent has no model of that name. */
export function chosenModels(
  { model, allowed_models = [], fallback_models = [] }: AgentDefinition,
  name: string | undefined,
): readonly [ModelDefinition, ...ModelDefinition[]] | null {
  if (name === undefined) return [model, ...fallback_models];
  const chosen = [model, ...allowed_models, ...fallback_models].find((one) => one.name === name);
  return chosen ? [chosen, ...fallback_models.filter((one) => one !== chosen)] : null;
}

/** Why the session's replies cannot have these options; null when they can. */
export function refuseModelOptions(
  init: Pick<SessionInit, "agent" | "tools">,
  { model, tool_choice }: ReplyModelOptions = {},
): Result<never> | null {
  const { agent } = init;
  if (!chosenModels(agent, model)) {
    const { allowed_models = [], fallback_models = [] } = agent;
    const names = [agent.model, ...allowed_models, ...fallback_models].map(({ name }) => name);
    const detail = `the agent has no such model; it has ${[...new Set(names)].join(", ")}`;
    return invalid("#/model", detail);
  }
  const { tools } = equippedAgent(init);
  if (typeof tool_choice === "object" && !mayHaveTool(tools, tool_choice.name)) {
    return invalid("#/tool_choice/name", "the agent has no tool of this name");
  }
  return null;
}

function invalid(pointer: string, detail: string): Result<never> {
  return refuse("validation_failed", "the body does not fit; `errors` says where", {
    errors: [{ pointer, detail }],
  });
}
