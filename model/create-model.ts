// The model adapter for an agent's model definition.
import { credentialError, modelError } from "../agent/state/model-error.ts";
import type { Model } from "../agent/ports.ts";
import { DEFAULT_OPENAI_BASE_URL, type ModelDefinition } from "../protocol/api/agents.ts";
import type { ErrorInfo } from "../protocol/messages/messages.ts";
import type { OutgoingFetch } from "../outgoing/outgoing.ts";
import type { SecretSource } from "../outgoing/secret-source.ts";
import type { MediaPort } from "./media-port.ts";
import { createOpenAiModel } from "./openai/openai-model.ts";
import { createScriptedModel } from "./scripted/scripted-model.ts";
import type { PlanTurn } from "./scripted/scripted-turn.ts";
import { type MediaMarks, spliceMedia } from "./splice-media.ts";
import { withMedia } from "./with-media.ts";

export interface ModelContext {
  readonly outgoing: OutgoingFetch;
  /** The agent's secrets, each for the hosts that it may be sent to. */
  readonly secrets: SecretSource;
  /** Answers of the scripted model where the user's message holds no script. */
  readonly planTurn: PlanTurn;
  /** The platform's files; without it their addresses are sent as they are. */
  readonly media?: MediaPort;
}

/** Printable ASCII without spaces at its ends: what a header can carry. */
const SENDABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * A model whose credential is gone, is not for its host, or cannot be sent, fails each call with an error that names the
 * credential; it sends nothing.
 */
export function createModel(definition: ModelDefinition, context: ModelContext): Model {
  const { media } = context;
  // The scripted model sees addresses as they are.
  if (!media || definition.provider === "scripted") return createAdapter(definition, context);
  const marks: MediaMarks = new Map();
  const outgoing = spliceMedia(context.outgoing, marks);
  return withMedia(createAdapter(definition, { ...context, outgoing }), media, marks);
}

function createAdapter(
  definition: ModelDefinition,
  { outgoing, secrets, planTurn }: ModelContext,
): Model {
  switch (definition.provider) {
    case "scripted":
      return createScriptedModel({
        name: definition.name,
        tokensPerSecond: definition.parameters.tokens_per_second,
        planTurn,
      });
    case "openai": {
      const { credential_id, base_url = DEFAULT_OPENAI_BASE_URL } = definition;
      if (credential_id === undefined) return createOpenAiModel({ definition, outgoing });
      const granted = secrets(credential_id, base_url);
      if (!granted.ok) {
        const { type, problem } = granted;
        return createBrokenModel(definition.name, credentialError(type, credential_id, problem));
      }
      const apiKey = granted.secret;
      if (!SENDABLE.test(apiKey)) return createBrokenModel(definition.name, modelError("setup"));
      return createOpenAiModel({ definition, outgoing, apiKey });
    }
    default:
      return definition satisfies never;
  }
}

function createBrokenModel(name: string, error: ErrorInfo): Model {
  return {
    name,
    async *stream() {
      yield { error };
    },
  };
}
