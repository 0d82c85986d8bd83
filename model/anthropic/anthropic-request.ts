// The body of a request to the Messages API.
import type {
  MessageCreateParamsStreaming,
  ThinkingConfigParam,
  Tool,
  ToolChoice as AnthropicToolChoice,
} from "@anthropic-ai/sdk/resources/messages";

import type { ModelCallOptions, ModelRequest, ToolDeclaration } from "../../agent/ports.ts";
import type { ModelDefinition } from "../../protocol/models/contract.ts";
import type { ReasoningEffort } from "../../protocol/models/model-options.ts";
import { DEFAULT_ANTHROPIC_MAX_TOKENS } from "../../protocol/models/limits.ts";
import { contextSizeOf, findPreset } from "../presets/find-preset.ts";
import { withoutMembers } from "../stream/json-fields.ts";
import { acceptedTools } from "../conversation/refused-tools.ts";
import { toFunctionName } from "../conversation/wire-names.ts";
import { anthropicSchema } from "./anthropic-schema.ts";
import { markMessages, markSystem, markTools } from "./cache-breakpoints.ts";
import { toAnthropicMessages, type AnthropicForm } from "./to-anthropic-messages.ts";
import { isJsonObject } from "../../protocol/json-object.ts";

export type AnthropicModelDefinition = Extract<ModelDefinition, { provider: "anthropic" }>;

const EFFORTS: Readonly<
  Record<Exclude<ReasoningEffort, "none">, "low" | "medium" | "high" | "xhigh" | "max">
> = { minimal: "low", low: "low", medium: "medium", high: "high", xhigh: "xhigh", max: "max" };

/**
 * The definition's parameters are passed on unchanged, except those that would override the conversation; the reply's
 * own go before them. Members are in the order of how rarely they change, so that a request begins like the one before
 * it: what depends on the call comes after the messages.
 */
export function anthropicRequest(
  definition: AnthropicModelDefinition,
  { system_prompt, messages, tools: all, tool_choice, options = {} }: ModelRequest,
  wire: AnthropicForm,
): MessageCreateParamsStreaming {
  const { name, parameters } = definition;
  const tools = acceptedTools(all, wire.form);
  const { messages: _messages, system: _system, tools: _tools, ...given } = parameters;
  const { tool_choice: ownChoice, thinking, ...own } = given;
  const choice = tools.length > 0 ? toToolChoice(ownChoice, tool_choice, options) : undefined;
  const isForced = choice?.type === "any" || choice?.type === "tool";
  const ofCall = {
    // The API refuses a forced call of a model that thinks.
    ...(isJsonObject(thinking) &&
      !isForced && { thinking: thinking as unknown as ThinkingConfigParam }),
    ...replyParameters(own, options, isForced),
    ...(choice && { tool_choice: choice }),
  };
  return {
    ...withoutMembers({ max_tokens: maxTokensOf(definition), ...own }, ofCall),
    model: name,
    stream: true,
    ...(tools.length > 0 && { tools: markTools(tools.map(toTool)) }),
    ...(system_prompt.trim() !== "" && { system: markSystem(system_prompt) }),
    messages: markMessages(toAnthropicMessages(messages, wire)),
    ...ofCall,
  } as MessageCreateParamsStreaming;
}

/**
 * The API requires a limit: what the vendor says that the model can write, thinking included, and of a small window not
 * so much that little is left for the conversation.
 */
function maxTokensOf(definition: AnthropicModelDefinition): number {
  const longest = findPreset(definition)?.max_output_tokens ?? DEFAULT_ANTHROPIC_MAX_TOKENS;
  const window = contextSizeOf(definition);
  return window === null ? longest : Math.max(1, Math.min(longest, Math.floor(window / 4)));
}

function replyParameters(
  own: Readonly<Record<string, unknown>>,
  { parameters = {}, reasoning_effort }: ModelCallOptions,
  isForced: boolean,
): Partial<MessageCreateParamsStreaming> {
  const { max_tokens, temperature, top_p, stop } = parameters;
  const configured = isJsonObject(own["output_config"]) ? own["output_config"] : {};
  return {
    ...(max_tokens !== undefined && { max_tokens }),
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { top_p }),
    ...(stop && { stop_sequences: [...stop] }),
    ...(reasoning_effort === "none" && !isForced && { thinking: { type: "disabled" } }),
    ...(reasoning_effort !== undefined &&
      reasoning_effort !== "none" && {
        output_config: { ...configured, effort: EFFORTS[reasoning_effort] },
      }),
  };
}

/** The tool choice: the loop's need comes before the reply's wish, and this before the definition's own. */
function toToolChoice(
  own: unknown,
  forced: string | undefined,
  { tool_choice, parallel_tool_calls }: ModelCallOptions,
): AnthropicToolChoice | undefined {
  const single = parallel_tool_calls === false ? { disable_parallel_tool_use: true } : {};
  const name = forced ?? (typeof tool_choice === "object" ? tool_choice.name : undefined);
  if (name !== undefined) return { type: "tool", name: toFunctionName(name), ...single };
  if (tool_choice === "none") return { type: "none" };
  if (tool_choice === "required") return { type: "any", ...single };
  if (tool_choice === undefined && isJsonObject(own)) return own as unknown as AnthropicToolChoice;
  const isSaid = tool_choice === "auto" || parallel_tool_calls === false;
  return isSaid ? { type: "auto", ...single } : undefined;
}

function toTool({ name, description, input_schema }: ToolDeclaration): Tool {
  return {
    name,
    ...(description && { description }),
    input_schema: anthropicSchema(input_schema).input_schema,
  };
}
