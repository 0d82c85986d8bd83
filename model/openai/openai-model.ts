// Adapter of the Model port for OpenAI-compatible endpoints, by chat completions or by the Responses API.
import type { Model } from "../../agent/ports.ts";
import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import { proofAuthor } from "../conversation/proof-author.ts";
import { originOf } from "../stream/origin-of.ts";
import { streamAnswer } from "../stream/stream-answer.ts";
import { chatRequest } from "./chat-request.ts";
import { ChunkReader } from "./chunk-reader.ts";
import { createOpenAiClient, type OpenAiModelDefinition } from "./openai-client.ts";
import { classifyOpenAiError } from "./openai-error.ts";
import { ResponseReader } from "./responses/response-reader.ts";
import { responsesRequest } from "./responses/responses-request.ts";

export interface OpenAiModelSettings {
  readonly definition: OpenAiModelDefinition;
  readonly outgoing: OutgoingFetch;
  /** Optional, because self-hosted endpoints need none; a placeholder is sent then. */
  readonly apiKey?: string;
}

export function createOpenAiModel(settings: OpenAiModelSettings): Model {
  const { definition, outgoing, apiKey = "none" } = settings;
  const { api, base_url, name, credential_id, stall_ms } = definition;
  const isResponses = api === "responses";
  const by = proofAuthor([...(isResponses ? [api] : []), base_url, name, credential_id]);
  const client = createOpenAiClient(definition, outgoing, apiKey);
  return {
    name,
    origin: originOf(definition),
    stream: (request, stop, report) =>
      streamAnswer(
        {
          apiKey,
          stallMs: stall_ms,
          send: (signal) =>
            isResponses
              ? client.responses
                  .create(responsesRequest(definition, request, by), { signal })
                  .asResponse()
              : client.chat.completions
                  .create(chatRequest(definition, request, by), { signal })
                  .asResponse(),
          classify: classifyOpenAiError,
          createReader: (isEventStream) =>
            isResponses
              ? new ResponseReader(isEventStream, by)
              : new ChunkReader(isEventStream, by),
        },
        stop,
        report,
      ),
  };
}
