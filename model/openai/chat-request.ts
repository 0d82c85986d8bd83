// The body of a request to a chat completions endpoint.
import type { ChatCompletionCreateParamsStreaming, ChatCompletionTool } from "openai/resources";

import type { ModelCallOptions, ModelRequest, ToolDeclaration } from "../../agent/ports.ts";
import { acceptedTools } from "../conversation/refused-tools.ts";
import { sentSchema } from "../conversation/sent-schema.ts";
import { toFunctionName } from "../conversation/wire-names.ts";
import { withoutMembers } from "../stream/json-fields.ts";
import { cacheKey } from "./cache-key.ts";
import type { OpenAiModelDefinition } from "./openai-client.ts";
import { toOpenAiMessages, type ChatForm } from "./to-openai-messages.ts";

/**
 * The definition's parameters are passed on unchanged, except those that would override the conversation; the reply's
 * own go before them. Members are in the order of how rarely they change, so that a request begins like the one before
 * it: what is the reply's own comes after the messages.
 */
export function chatRequest(
  definition: OpenAiModelDefinition,
  request: ModelRequest,
  wire: ChatForm,
): ChatCompletionCreateParamsStreaming {
  const {
    tools: _tools,
    n: _n,
    messages: _messages,
    stream_options: _options,
    ...own
  } = definition.parameters;
  const { form } = wire;
  const { tool_choice, options = {} } = request;
  const tools = acceptedTools(request.tools, form);
  const ofReply = {
    ...replyParameters(definition, options),
    ...toolChoice(tool_choice, tools.length > 0, options),
  };
  return {
    ...withoutMembers(own, ofReply),
    ...cacheKey(definition, request),
    model: definition.name,
    stream: true,
    ...(form.stream_options !== "left_out" && { stream_options: { include_usage: true } }),
    ...(tools.length > 0 && { tools: tools.map(toTool) }),
    messages: toOpenAiMessages(request, wire),
    ...ofReply,
  };
}

/** `max_tokens` has two names: OpenAI's models refuse the old one, other endpoints do not know the new one. */
function replyParameters(
  { base_url, parameters: own }: OpenAiModelDefinition,
  { parameters = {}, reasoning_effort }: ModelCallOptions,
): Partial<ChatCompletionCreateParamsStreaming> {
  const { max_tokens, stop, ...rest } = parameters;
  const isNew =
    "max_completion_tokens" in own || (base_url === undefined && !("max_tokens" in own));
  const limit = isNew ? { max_completion_tokens: max_tokens } : { max_tokens };
  return {
    ...rest,
    ...(stop && { stop: [...stop] }),
    ...(max_tokens !== undefined && limit),
    ...(reasoning_effort !== undefined && { reasoning_effort }),
  };
}

/** Neither is accepted without tools. */
function toolChoice(
  forced: string | undefined,
  hasTools: boolean,
  { tool_choice, parallel_tool_calls }: ModelCallOptions,
): Partial<ChatCompletionCreateParamsStreaming> {
  const name = forced ?? (typeof tool_choice === "object" ? tool_choice.name : undefined);
  if (name !== undefined) {
    return {
      tool_choice: { type: "function", function: { name: toFunctionName(name) } },
      ...(hasTools && parallel_tool_calls !== undefined && { parallel_tool_calls }),
    };
  }
  if (!hasTools) return {};
  return {
    ...(typeof tool_choice === "string" && { tool_choice }),
    ...(parallel_tool_calls !== undefined && { parallel_tool_calls }),
  };
}

function toTool({ name, description, input_schema }: ToolDeclaration): ChatCompletionTool {
  return {
    type: "function",
    function: { name, ...(description && { description }), parameters: sentSchema(input_schema) },
  };
}
