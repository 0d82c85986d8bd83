import type { Model } from "../../agent/ports.ts";
import { createModel, type ModelContext } from "../../model/create-model.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import { windowOf } from "../settings/window-of.ts";

/** The model that writes a session's summaries. */
export interface SummaryModel {
  readonly model: Model;
  /** Tokens that it can read at once. */
  readonly model_window: number;
  /** Whether the conversation is sent to the same model. */
  readonly is_own_model: boolean;
}

/** The agent's `compression_model`, or the one that the conversation is sent to. @param own That one. */
export function summaryModel(
  agent: AgentDefinition,
  context: ModelContext,
  own: () => Pick<SummaryModel, "model" | "model_window">,
): SummaryModel {
  const definition = agent.context?.compression_model;
  if (!definition) return { ...own(), is_own_model: true };
  return {
    model: createModel(definition, context),
    model_window: windowOf({}, definition),
    is_own_model: false,
  };
}
