// The Model port over any OpenAI-compatible chat completions endpoint. Retries and fallbacks are the loop's.
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
import { withReadRefusals } from "./with-read-refusals.ts";
import { StallWatchdog } from "./stall-watchdog.ts";
import { proofAuthor } from "./thought-proof.ts";

type OpenAiModelDefinition = Extract<ModelDefinition, { provider: "openai" }>;

export interface OpenAiModelSettings {
  readonly definition: OpenAiModelDefinition;
  readonly outgoing: OutgoingFetch;
  /** Endpoints on one's own machine want none; a placeholder is sent then. */
  readonly apiKey?: string;
}

export function createOpenAiModel(settings: OpenAiModelSettings): Model {
  const { definition, outgoing, apiKey = "none" } = settings;
  const { stall_ms } = definition;
  const by = proofAuthor([definition.base_url, definition.name, definition.credential_id]);
  // What is left out here would be read from environment variables.
  const client = new OpenAI({
    apiKey,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: definition.base_url ?? DEFAULT_OPENAI_BASE_URL,
    fetch: withReadRefusals(outgoing),
    maxRetries: 0,
    // The first byte may be long in coming, unless the definition says how long silence may last.
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
        // Read here and not in a generator of its own, which would cost each token about as much as its parsing.
        for await (const data of events) {
          watchdog.attend();
          let hasSaid = false;
          for (const chunk of reader.read(data)) {
            if (stop.aborted) return;
            hasSaid ||= bringsWords(chunk);
            yield chunk;
          }
          if (bytes > MAX_MODEL_ANSWER_BYTES) {
            // Said before the connection is dropped, which takes a moment: the reply is to end in this one.
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

/** Usage alone, or a call that gets no input, may come again and again for ever. */
function bringsWords({ text, thinking, thinking_signature, tool_calls }: ModelChunk): boolean {
  if (text || thinking || thinking_signature) return true;
  return tool_calls?.some(({ delta }) => delta !== "") ?? false;
}

function isEventStream({ headers }: Response): boolean {
  return (headers.get("content-type") ?? "").startsWith("text/event-stream");
}

/** The definition's parameters reach the provider as they are, but the conversation is not theirs to set. */
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
