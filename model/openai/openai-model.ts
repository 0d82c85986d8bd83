// Adapter of the Model port for OpenAI-compatible chat completions endpoints.
import OpenAI from "openai";
import type { ChatCompletionCreateParamsStreaming, ChatCompletionTool } from "openai/resources";

import type { Model, ModelRequest, ToolDeclaration } from "../../agent/ports.ts";
import { baseUrlOf, type ModelDefinition } from "../../protocol/api/agents.ts";
import { MODEL_ANSWER_MS } from "../../protocol/limits/models.ts";
import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import { proofAuthor } from "../conversation/proof-author.ts";
import { originOf } from "../stream/origin-of.ts";
import { streamAnswer } from "../stream/stream-answer.ts";
import { withReadRefusals } from "../stream/with-read-refusals.ts";
import { ChunkReader } from "./chunk-reader.ts";
import { classifyOpenAiError } from "./openai-error.ts";
import { toOpenAiMessages } from "./to-openai-messages.ts";

type OpenAiModelDefinition = Extract<ModelDefinition, { provider: "openai" }>;

export interface OpenAiModelSettings {
  readonly definition: OpenAiModelDefinition;
  readonly outgoing: OutgoingFetch;
  /** Optional, because self-hosted endpoints need none; a placeholder is sent then. */
  readonly apiKey?: string;
}

export function createOpenAiModel(settings: OpenAiModelSettings): Model {
  const { definition, outgoing, apiKey = "none" } = settings;
  const { stall_ms } = definition;
  const by = proofAuthor([definition.base_url, definition.name, definition.credential_id]);
  // All set explicitly: the package reads absent options from environment variables.
  const client = new OpenAI({
    apiKey,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: baseUrlOf(definition),
    fetch: withReadRefusals(outgoing),
    maxRetries: 0,
    // Time to the response headers, which may be long, unless the definition limits silence.
    timeout: stall_ms ?? MODEL_ANSWER_MS,
    logLevel: "off",
  });
  return {
    name: definition.name,
    origin: originOf(definition),
    stream: (request, stop, report) =>
      streamAnswer(
        {
          apiKey,
          stallMs: stall_ms,
          send: (signal) =>
            client.chat.completions
              .create(requestBody(definition, request, by), { signal })
              .asResponse(),
          classify: classifyOpenAiError,
          createReader: (isEventStream) => new ChunkReader(isEventStream, by),
        },
        stop,
        report,
      ),
  };
}

/** The definition's parameters are passed on unchanged, except those that would override the conversation. */
function requestBody(
  { name, parameters }: OpenAiModelDefinition,
  request: ModelRequest,
  by: string,
): ChatCompletionCreateParamsStreaming {
  const { tools: _tools, n: _n, ...rest } = parameters;
  return {
    ...rest,
    model: name,
    messages: toOpenAiMessages(request, by),
    ...(request.tools.length > 0 && { tools: request.tools.map(toTool) }),
    ...(request.tool_choice !== undefined && {
      tool_choice: { type: "function", function: { name: request.tool_choice } },
    }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

function toTool({ name, description, input_schema }: ToolDeclaration): ChatCompletionTool {
  return {
    type: "function",
    function: { name, ...(description && { description }), parameters: { ...input_schema } },
  };
}
