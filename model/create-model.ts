// From an agent's definition to the adapter that speaks to its model.
import { modelError } from "../agent/model-error.ts";
import type { Model } from "../agent/ports.ts";
import type { ModelDefinition } from "../protocol/api/agents.ts";
import type { OutgoingFetch } from "../tools/outgoing.ts";
import { createOpenAiModel } from "./openai.ts";
import { createScriptedModel } from "./scripted.ts";

export interface ModelContext {
  readonly outgoing: OutgoingFetch;
  /** The agent's secrets in the clear, by credential id. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** Printable ASCII without spaces at its ends: what a header can carry. */
const SENDABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** A model whose credential is not among the secrets, or cannot be sent, fails each call with `setup`; it sends nothing. */
export function createModel(
  definition: ModelDefinition,
  { outgoing, secrets }: ModelContext,
): Model {
  switch (definition.provider) {
    case "scripted":
      return createScriptedModel({
        name: definition.name,
        tokensPerSecond: definition.parameters.tokens_per_second,
      });
    case "openai": {
      const { credential_id } = definition;
      const apiKey = credential_id === undefined ? undefined : secrets.get(credential_id);
      if (credential_id !== undefined && !SENDABLE.test(apiKey ?? ""))
        return createBrokenModel(definition.name);
      return createOpenAiModel({ definition, outgoing, apiKey });
    }
    default:
      return definition satisfies never;
  }
}

function createBrokenModel(name: string): Model {
  return {
    name,
    async *stream() {
      yield { error: modelError("setup") };
    },
  };
}
