// Asks a model for one token, to find out whether it answers. Used by the check of an agent.
import type { FailureReport } from "../agent/failure-report.ts";
import type { ModelRequest, StopSignal } from "../agent/ports.ts";
import { estimateInputTokens } from "../agent/model-turn/estimate-usage.ts";
import { failureKindOf } from "../agent/model-turn/failure-kind.ts";
import { UserMsg } from "../protocol/messages/constructors.ts";
import { isRemoteModel, type ModelDefinition } from "../protocol/models/contract.ts";
import { createModel, type ModelContext } from "./create-model.ts";

/** Output tokens; the Responses API refuses a smaller limit. */
const MIN_RESPONSES_TOKENS = 16;

export interface ModelProbe {
  /** Null when the model has answered. */
  readonly failure: FailureReport | null;
  /** Whether it has said something; a model that thinks may end without, after one token. */
  readonly hasSaid: boolean;
  /** Tokens that were used, estimated unless the model has said it. */
  readonly tokens: number;
}

/** The parameters with which endpoints limit the output: newer ones refuse the first, others do not know the second. */
const LIMITS = ["max_tokens", "max_completion_tokens"] as const;

/**
 * Sends no tools and nothing of the agent's prompt; ends the answer at its first piece. Contract: never throws; after
 * `stop` it ends soon.
 */
export async function probeModel(
  definition: ModelDefinition,
  context: ModelContext,
  stop: StopSignal,
): Promise<ModelProbe> {
  const [usual, newer] = LIMITS;
  const isNewer = isRemoteModel(definition) && "max_completion_tokens" in definition.parameters;
  const first = await ask(definition, isNewer ? newer : usual, context, stop);
  const isLimitRefused =
    first.failure?.kind === "invalid_request" &&
    /max_(?:completion_)?tokens/.test(`${first.failure.code} ${first.failure.message}`);
  if (isNewer || !isLimitRefused || stop.aborted) return first;
  return ask(definition, newer, context, stop);
}

async function ask(
  definition: ModelDefinition,
  limit: (typeof LIMITS)[number],
  context: ModelContext,
  stop: StopSignal,
): Promise<ModelProbe> {
  const model = createModel(withLimit(definition, limit), context);
  const request: ModelRequest = {
    system_prompt: "",
    messages: [UserMsg("user", "Say OK.")],
    tools: [],
  };
  let failure: FailureReport | null = null;
  let hasSaid = false;
  let tokens = estimateInputTokens(request);
  try {
    for await (const chunk of model.stream(request, stop, (found) => {
      if ("failure" in found) failure = found.failure;
    })) {
      if (chunk.error) {
        failure ??= { kind: failureKindOf(chunk.error.type), message: chunk.error.message };
        return { failure, hasSaid, tokens: 0 };
      }
      if (chunk.usage) tokens = chunk.usage.input_tokens + chunk.usage.output_tokens;
      if (!chunk.text && !chunk.thinking && !chunk.tool_calls) continue;
      hasSaid = true;
      tokens += 1;
      break;
    }
  } catch {
    failure = { kind: "internal" };
  }
  return { failure, hasSaid, tokens: failure ? 0 : tokens };
}

function withLimit(definition: ModelDefinition, limit: (typeof LIMITS)[number]): ModelDefinition {
  if (!isRemoteModel(definition)) return definition;
  if (definition.provider === "anthropic") {
    // Thinking needs a greater limit.
    const { thinking: _thinking, ...parameters } = definition.parameters;
    return { ...definition, parameters: { ...parameters, max_tokens: 1 } };
  }
  if (definition.api === "responses") {
    const parameters = { ...definition.parameters, max_output_tokens: MIN_RESPONSES_TOKENS };
    return { ...definition, parameters };
  }
  const { max_tokens: _old, max_completion_tokens: _new, ...parameters } = definition.parameters;
  return { ...definition, parameters: { ...parameters, [limit]: 1 } };
}
