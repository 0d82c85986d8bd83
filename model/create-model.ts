// From an agent's definition to the adapter that speaks to its model.
import type { Model } from "../agent/ports.ts";
import type { ModelDefinition } from "../protocol/api/agents.ts";
import type { OutgoingFetch } from "../tools/outgoing.ts";
import { createOpenAiModel } from "./openai.ts";
import { createScriptedModel } from "./scripted.ts";

export function createModel(
  definition: ModelDefinition,
  { outgoing }: { readonly outgoing: OutgoingFetch },
): Model {
  switch (definition.provider) {
    case "scripted":
      return createScriptedModel({
        name: definition.name,
        tokensPerSecond: definition.parameters.tokens_per_second,
      });
    case "openai":
      return createOpenAiModel({ definition, outgoing });
    default:
      return definition satisfies never;
  }
}
