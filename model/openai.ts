// The Model port over any OpenAI-compatible chat completions endpoint. Retries and fallbacks are the loop's.
import OpenAI from "openai";
import type { ChatCompletionCreateParamsStreaming, ChatCompletionTool } from "openai/resources";

import { modelError } from "../agent/model-error.ts";
import type {
  Model,
  ModelChunk,
  ModelRequest,
  StopSignal,
  ToolDeclaration,
} from "../agent/ports.ts";
import type { ModelDefinition } from "../protocol/api/agents.ts";
import { MAX_MODEL_EVENT_CHARACTERS, MODEL_ANSWER_MS, MODEL_STALL_MS } from "../protocol/limits.ts";
import type { ErrorType } from "../protocol/messages.ts";
import { BodyTooBig, readBytes, readEventData } from "../tools/body.ts";
import type { OutgoingFetch } from "../tools/outgoing.ts";
import { ChunkReader } from "./openai-chunk.ts";
import { classifyOpenAiError, type ModelFailure } from "./openai-error.ts";
import { toOpenAiMessages } from "./openai-messages.ts";
import { StallWatchdog } from "./stall-watchdog.ts";

type OpenAiModelDefinition = Extract<ModelDefinition, { provider: "openai" }>;

export interface OpenAiModelSettings {
  readonly definition: OpenAiModelDefinition;
  readonly outgoing: OutgoingFetch;
  /** Endpoints on one's own machine want none; a placeholder is sent then. */
  readonly apiKey?: string;
  /** Milliseconds without a byte after which the stream is lost. */
  readonly stallMs?: number;
}

const DEFAULT_BASE_URL = "https://api.openai.com/v1";

export function createOpenAiModel(settings: OpenAiModelSettings): Model {
  const { definition, outgoing, apiKey = "none", stallMs = MODEL_STALL_MS } = settings;
  // What is left out here would be read from environment variables.
  const client = new OpenAI({
    apiKey,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: definition.base_url ?? DEFAULT_BASE_URL,
    fetch: outgoing,
    maxRetries: 0,
    timeout: MODEL_ANSWER_MS,
    logLevel: "off",
  });
  return {
    name: definition.name,
    async *stream(request, stop) {
      if (stop.aborted) return;
      const watchdog = new StallWatchdog(stop, stallMs);
      let failure: ModelFailure | null = null;
      try {
        const response = await client.chat.completions
          .create(requestBody(definition, request), { signal: watchdog.signal })
          .asResponse();
        watchdog.start();
        const type = yield* readStream(response, { watchdog, stop });
        if (type) failure = { type };
      } catch (error) {
        failure = classifyOpenAiError(error);
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

/** @returns Why the stream failed, or null when it came to its end. */
async function* readStream(
  response: Response,
  { watchdog, stop }: { watchdog: StallWatchdog; stop: StopSignal },
): AsyncGenerator<ModelChunk, ErrorType | null> {
  const reader = new ChunkReader();
  let isFinished = false;
  let isStream = (response.headers.get("content-type") ?? "").startsWith("text/event-stream");
  try {
    const bytes = watchdog.watch(readBytes(response));
    for await (const events of readEventData(bytes, MAX_MODEL_EVENT_CHARACTERS)) {
      isStream = true;
      for (const data of events) {
        if (stop.aborted) return null;
        const event = reader.read(data);
        if (event.type === "done") return null;
        if (event.type === "failed") return event.errorType;
        isFinished ||= event.isFinished;
        yield event.chunk;
      }
    }
  } catch (error) {
    if (error instanceof BodyTooBig) return "upstream";
  }
  // Some endpoints end without [DONE]; after the finish reason only the usage can be missing.
  if (isFinished) return null;
  return isStream ? "connection" : "upstream";
}

/** The definition's parameters reach the provider as they are, but the conversation is not theirs to set. */
function requestBody(
  { name, parameters }: OpenAiModelDefinition,
  request: ModelRequest,
): ChatCompletionCreateParamsStreaming {
  const { tools: _tools, n: _n, ...rest } = parameters;
  return {
    ...rest,
    model: name,
    messages: toOpenAiMessages(request),
    ...(request.tools.length > 0 && { tools: request.tools.map(toTool) }),
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
