// The adapters of a reply's models.
import { modelError } from "../../agent/state/model-error.ts";
import type { Model } from "../../agent/ports.ts";
import { createModel, type ModelContext } from "../../model/create-model.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import { chosenModels } from "./chosen-models.ts";

/**
 * The first one that the reply calls, then its fallbacks. A reply that was queued may find the agent changed: it then
 * fails, since another model than the one that it asked for might be used unnoticed.
 */
export function openModels(
  agent: AgentDefinition,
  name: string | undefined,
  context: ModelContext,
): readonly [Model, ...Model[]] {
  const chosen = chosenModels(agent, name);
  if (!chosen) return [missingModel(name ?? "")];
  const [first, ...others] = chosen;
  return [createModel(first, context), ...others.map((model) => createModel(model, context))];
}

function missingModel(name: string): Model {
  return {
    name,
    async *stream(_request, _stop, report) {
      report?.({ failure: { kind: "setup", message: "The agent has no such model any more." } });
      yield { error: modelError("setup") };
    },
  };
}
