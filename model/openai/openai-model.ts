// Adapter of the Model port for OpenAI-compatible chat completions endpoints. Retries and fallbacks are done by the
// loop.
import OpenAI from "openai";
import type { ChatCompletionCreateParamsStreaming, ChatCompletionTool } from "openai/resources";

import { modelError } from "../../agent/state/model-error.ts";
import type { Model, ModelChunk, ModelRequest, ToolDeclaration } from "../../agent/ports.ts";
import { DEFAULT_OPENAI_BASE_URL, type ModelDefinition } from "../../protocol/api/agents.ts";
import {
  MAX_MODEL_ANSWER_BYTES,
  MAX_MODEL_IDLE_BYTES,
  MAX_MODEL_EVENT_CHARACTERS,
  MODEL_ANSWER_MS,
  MODEL_STALL_MS,
} from "../../protocol/limits/models.ts";
import { BodyTooBig, readEventData } from "../../outgoing/body.ts";
import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import { ChunkReader } from "./chunk-reader.ts";
import { classifyOpenAiError, type ModelFailure } from "./openai-error.ts";
import { toOpenAiMessages } from "./to-openai-messages.ts";
import { withReadRefusals } from "../stream/with-read-refusals.ts";
import { StallWatchdog } from "../stream/stall-watchdog.ts";
import { proofAuthor } from "./thought-proof.ts";

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
    baseURL: definition.base_url ?? DEFAULT_OPENAI_BASE_URL,
    fetch: withReadRefusals(outgoing),
    maxRetries: 0,
    // Time to the response headers, which may be long, unless the definition limits silence.
    timeout: stall_ms ?? MODEL_ANSWER_MS,
    logLevel: "off",
  });
  return {
    name: definition.name,
    async *stream(request, stop) {
      if (stop.aborted) return;
      const watchdog = new StallWatchdog(stop, stall_ms ?? MODEL_STALL_MS);
      let failure: ModelFailure | null = null;
      let reader: ChunkReader | null = null;
      try {
        const response = await client.chat.completions
          .create(requestBody(definition, request, by), { signal: watchdog.signal })
          .asResponse();
        watchdog.start();
        reader = new ChunkReader(isEventStream(response), by);
        let bytes = 0;
        let idleBytes = 0;
        const events = readEventData(response, {
          maxEventCharacters: MAX_MODEL_EVENT_CHARACTERS,
          onPiece: (pieceBytes) => {
            watchdog.heard();
            bytes += pieceBytes;
            idleBytes += pieceBytes;
            if (idleBytes > MAX_MODEL_IDLE_BYTES) throw new BodyTooBig();
          },
        });
        // Inlined instead of a generator of its own, which would cost each token about as much as its parsing.
        for await (const data of events) {
          watchdog.attend();
          let hasSaid = false;
          for (const chunk of reader.read(data)) {
            if (stop.aborted) return;
            hasSaid ||= hasContent(chunk);
            yield chunk;
          }
          if (bytes > MAX_MODEL_ANSWER_BYTES) {
            // Yielded before the connection is closed, which takes time: the reply must end now.
            yield { error: modelError("output_limit") };
            return;
          }
          if (hasSaid) idleBytes = 0;
          watchdog.listen(hasSaid);
          if (reader.isOver) break;
        }
        failure = reader.failure;
        const last = failure ? null : reader.finish();
        if (last && !stop.aborted) yield last;
      } catch (error) {
        failure = reader ? reader.failureBy(error) : classifyOpenAiError(error);
      } finally {
        watchdog.release();
      }
      if (!failure || stop.aborted) return;
      const { type, retryAfterMs } = failure;
      yield {
        error: modelError(type),
        ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
      };
    },
  };
}

/** Whether a chunk has content. Usage alone, or a call without new input, could be repeated without end. */
function hasContent({ text, thinking, thinking_signature, tool_calls }: ModelChunk): boolean {
  if (text || thinking || thinking_signature) return true;
  return tool_calls?.some(({ delta }) => delta !== "") ?? false;
}

function isEventStream({ headers }: Response): boolean {
  return (headers.get("content-type") ?? "").startsWith("text/event-stream");
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
