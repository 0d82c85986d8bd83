// The model adapter for an agent's model definition.
import { credentialError, modelError } from "../agent/state/model-error.ts";
import type { Model } from "../agent/ports.ts";
import {
  baseUrlOf,
  type ModelDefinition,
  type RemoteModelDefinition,
} from "../protocol/models/contract.ts";
import type { RequestForm } from "../protocol/models/events.ts";
import type { ErrorInfo } from "../protocol/messages/messages.ts";
import type { OutgoingFetch } from "../outgoing/outgoing.ts";
import type { SecretSource } from "../outgoing/secret-source.ts";
import { createAnthropicModel } from "./anthropic/anthropic-model.ts";
import { createRemoteAgentModel } from "./a2a/remote-agent-model.ts";
import type { RemoteReply } from "./a2a/remote-turn.ts";
import { briefMemory, type MediaMemory } from "./media-memory.ts";
import type { MediaPort } from "./media-port.ts";
import { COMMON_IMAGES } from "./conversation/image-types.ts";
import { leaveOutMedia, type TakesMedia } from "./conversation/leave-out-media.ts";
import { readableMedia } from "./conversation/readable-media.ts";
import { createOpenAiModel } from "./openai/openai-model.ts";
import { costOfCall } from "./presets/cost-of-call.ts";
import { findPreset, isVendorServed } from "./presets/find-preset.ts";
import { isSendable } from "./stream/is-sendable.ts";
import { originOf } from "./stream/origin-of.ts";
import { createScriptedModel } from "./scripted/scripted-model.ts";
import type { DecideTurn } from "./scripted/scripted-turn.ts";
import { type MediaMarks, spliceMedia } from "./splice-media.ts";
import { withMedia } from "./with-media.ts";
import { withoutRefusedMedia } from "./without-refused-media.ts";

export interface ModelContext {
  readonly outgoing: OutgoingFetch;
  /** The agent's secrets, each for the hosts that it may be sent to. */
  readonly secrets: SecretSource;
  /** Answers of the scripted model where the user's message holds no script. */
  readonly decideTurn: DecideTurn;
  /** The forms that earlier calls have learned, by the author of proofs; without it each model begins anew. */
  readonly formOf?: (author: string) => RequestForm | undefined;
  /** The platform's files; without it their addresses are sent as they are. */
  readonly media?: MediaPort;
  /** Refusals of the session's models; without it they are known as long as the model. */
  readonly mediaMemory?: MediaMemory;
  /** The reply that is given, where one is: an agent of another system gives replies alone. */
  readonly remote?: RemoteReply;
}

const UNSENDABLE =
  "The secret of the model's credential has characters that a header cannot carry.";

/**
 * A model whose credential is gone, is not for its host, or cannot be sent, fails each call with an error that names the
 * credential; it sends nothing.
 */
export function createModel(definition: ModelDefinition, context: ModelContext): Model {
  const costOf = costOfCall(definition);
  return { ...createUnpriced(definition, context), ...(costOf && { costOf }) };
}

function createUnpriced(definition: ModelDefinition, context: ModelContext): Model {
  // The scripted model sees media as it is.
  if (definition.provider === "scripted") return createAdapter(definition, context);
  const { mediaMemory = briefMemory() } = context;
  return readingMedia(withoutRefusedMedia(createSplicing(definition, context), mediaMemory));
}

/** @param model Is not shown media that cannot be read. */
function readingMedia(model: Model): Model {
  return {
    ...model,
    stream: (request, stop, report) =>
      model.stream({ ...request, messages: readableMedia(request.messages) }, stop, report),
  };
}

/** With the platform's files in its requests. */
function createSplicing(definition: ModelDefinition, context: ModelContext): Model {
  const { media } = context;
  if (!media) return createAdapter(definition, context);
  const marks: MediaMarks = new Map();
  const outgoing = spliceMedia(context.outgoing, marks);
  return withMedia(createAdapter(definition, { ...context, outgoing }), media, marks);
}

function createAdapter(
  definition: ModelDefinition,
  { outgoing, secrets, decideTurn, formOf, remote }: ModelContext,
): Model {
  switch (definition.provider) {
    case "scripted":
      return createScriptedModel({
        name: definition.name,
        tokensPerSecond: definition.parameters.tokens_per_second,
        decideTurn,
      });
    case "a2a": {
      const reply = remote && { reply: remote };
      return createRemoteAgentModel({ definition, outgoing, secrets, ...reply });
    }
    case "openai":
    case "anthropic": {
      const { credential_id } = definition;
      const endpoint = { outgoing, ...(formOf && { formOf }) };
      if (credential_id === undefined) return createRemoteModel(definition, endpoint);
      const granted = secrets(credential_id, baseUrlOf(definition));
      if (!granted.ok) {
        const { type, problem } = granted;
        return createBrokenModel(definition, credentialError(type, credential_id, problem));
      }
      const apiKey = granted.secret;
      if (!isSendable(apiKey))
        return createBrokenModel(definition, modelError("setup"), UNSENDABLE);
      return createRemoteModel(definition, { ...endpoint, apiKey });
    }
    default:
      return definition satisfies never;
  }
}

function createRemoteModel(
  definition: RemoteModelDefinition,
  settings: Pick<ModelContext, "outgoing" | "formOf"> & { readonly apiKey?: string },
): Model {
  const model =
    definition.provider === "anthropic"
      ? createAnthropicModel({ ...settings, definition })
      : createOpenAiModel({ ...settings, definition });
  const takes = takenMedia(definition);
  if (!takes) return model;
  return {
    ...model,
    stream: (request, stop, report) =>
      model.stream({ ...request, messages: leaveOutMedia(request.messages, takes) }, stop, report),
  };
}

/** The media that a known model takes; null for any other endpoint, which gets what its wire can carry. */
function takenMedia(definition: RemoteModelDefinition): TakesMedia | null {
  const preset = findPreset(definition);
  const isOfWire = isVendorServed(definition);
  if (!preset && !isOfWire) return null;
  const refuses: readonly string[] = preset?.refuses ?? [];
  return (media_type) => {
    const [kind = ""] = media_type.split("/");
    if (refuses.includes(kind)) return false;
    return !isOfWire || kind !== "image" || Object.hasOwn(COMMON_IMAGES, media_type);
  };
}

/** @param reason For diagnostics, where the error's own message does not say it. */
function createBrokenModel(
  definition: RemoteModelDefinition,
  error: ErrorInfo,
  reason = error.message,
): Model {
  return {
    name: definition.name,
    origin: originOf(definition),
    async *stream(_request, _stop, report) {
      report?.({ failure: { kind: "setup", message: reason } });
      yield { error };
    },
  };
}
