import { contextSizeOf } from "../../model/presets/find-preset.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import type { ModelDefinition } from "../../protocol/models/contract.ts";
import { DEFAULT_CONTEXT_SIZE } from "../../protocol/context/limits.ts";

/** Settings that could not be read have an agent without these. */
type UnsureAgent = Partial<Pick<AgentDefinition, "model" | "context">>;

/**
 * Tokens that a model can read at once: as the agent's `context` says, else the model's definition, else what is known of
 * its vendor's models.
 * @param model One of the agent's models; the first one when left out.
 */
export function windowOf(
  { context, model: first }: UnsureAgent,
  model: ModelDefinition | undefined = first,
): number {
  return context?.context_size ?? (model && contextSizeOf(model)) ?? DEFAULT_CONTEXT_SIZE;
}
