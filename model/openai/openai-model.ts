// Adapter of the Model port for OpenAI-compatible endpoints, by chat completions or by the Responses API.
import type { Model } from "../../agent/ports.ts";
import type { RequestForm } from "../../protocol/models/events.ts";
import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import { knownForm } from "../conversation/known-form.ts";
import { proofAuthor } from "../conversation/proof-author.ts";
import { AdaptedRequests } from "../stream/adapted-requests.ts";
import { originOf } from "../stream/origin-of.ts";
import { streamAnswer } from "../stream/stream-answer.ts";
import { CHAT_ADAPTATIONS, RESPONSES_ADAPTATIONS } from "./openai-adaptations.ts";
import { chatRequest } from "./chat-request.ts";
import { ChunkReader } from "./chunk-reader.ts";
import { createOpenAiClient, type OpenAiModelDefinition } from "./openai-client.ts";
import { classifyOpenAiError, openAiRefusal } from "./openai-error.ts";
import { ResponseReader } from "./responses/response-reader.ts";
import { responsesRequest } from "./responses/responses-request.ts";

export interface OpenAiModelSettings {
  readonly definition: OpenAiModelDefinition;
  readonly outgoing: OutgoingFetch;
  /** Optional, because self-hosted endpoints need none; a placeholder is sent then. */
  readonly apiKey?: string;
  /** The form that an earlier call has learned, by the author of proofs. */
  readonly formOf?: (author: string) => RequestForm | undefined;
}

export function createOpenAiModel(settings: OpenAiModelSettings): Model {
  const { definition, outgoing, apiKey = "none", formOf } = settings;
  const { api, base_url, name, credential_id, stall_ms } = definition;
  const isResponses = api === "responses";
  const by = proofAuthor([...(isResponses ? [api] : []), base_url, name, credential_id]);
  const client = createOpenAiClient(definition, outgoing, apiKey);
  const adapted = new AdaptedRequests({
    by,
    adaptations: isResponses ? RESPONSES_ADAPTATIONS : CHAT_ADAPTATIONS,
    refusalOf: openAiRefusal,
    base: knownForm(definition),
    known: formOf?.(by),
  });
  return {
    name,
    origin: originOf(definition),
    stream: (request, stop, report) => {
      const call = adapted.begin(request);
      return streamAnswer(
        {
          apiKey,
          stallMs: stall_ms,
          send: (signal) =>
            call.send((form) =>
              isResponses
                ? client.responses
                    .create(responsesRequest(definition, request, { by, form }), { signal })
                    .asResponse()
                : client.chat.completions
                    .create(chatRequest(definition, request, { by, form }), { signal })
                    .asResponse(),
            ),
          refused: (refusal) => call.refused(refusal),
          taken: () => call.taken(),
          classify: classifyOpenAiError,
          createReader: (isEventStream) =>
            isResponses
              ? new ResponseReader(isEventStream, by)
              : new ChunkReader(isEventStream, by),
        },
        stop,
        report,
      );
    },
  };
}
