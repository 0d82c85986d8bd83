// The body of a request to the Responses API.
import type {
  FunctionTool,
  ResponseCreateParamsStreaming,
  Tool,
} from "openai/resources/responses/responses";

import type { ModelCallOptions, ModelRequest, ToolDeclaration } from "../../../agent/ports.ts";
import { acceptedTools } from "../../conversation/refused-tools.ts";
import { fieldsIn, withoutMembers, type JsonFields } from "../../stream/json-fields.ts";
import { sentSchema } from "../../conversation/sent-schema.ts";
import { toFunctionName } from "../../conversation/wire-names.ts";
import { cacheKey } from "../cache-key.ts";
import type { OpenAiModelDefinition } from "../openai-client.ts";
import { toResponsesInput, type ResponsesForm } from "./to-responses-input.ts";
import { isJsonObject } from "../../../protocol/json-object.ts";

/** The provider's own tools that may be in the parameters: what they make is data in the answer. */
const HOSTED_TOOLS: readonly unknown[] = ["image_generation"];

/**
 * The definition's parameters are passed on unchanged, except those that would override the conversation or store it at
 * the provider; the reply's own go before them. Members are in the order of how rarely they change, so that a request
 * begins like the one before it: what is the reply's own comes after the input.
 */
export function responsesRequest(
  definition: OpenAiModelDefinition,
  { system_prompt, messages, tools, tool_choice, options = {} }: ModelRequest,
  wire: ResponsesForm,
): ResponseCreateParamsStreaming {
  const { name, parameters } = definition;
  const {
    input: _input,
    tools: hosted,
    instructions: _instructions,
    previous_response_id: _previous,
    conversation: _conversation,
    background: _background,
    ...own
  } = parameters;
  const sentTools = [
    ...acceptedTools(tools, wire.form).map(toTool),
    ...fieldsIn(hosted).filter(({ type }) => HOSTED_TOOLS.includes(type)),
  ] as Tool[];
  const ofReply = {
    ...replyParameters(own, options),
    // A choice is not accepted without tools.
    ...(sentTools.length > 0 && toolChoice(tool_choice, options)),
  };
  return {
    ...withoutMembers(own, ofReply),
    ...cacheKey(definition, { messages }),
    model: name,
    store: false,
    include: ["reasoning.encrypted_content"],
    stream: true,
    ...(sentTools.length > 0 && { tools: sentTools }),
    ...(system_prompt !== "" && { instructions: system_prompt }),
    input: toResponsesInput(messages, wire),
    ...ofReply,
  };
}

function replyParameters(
  own: JsonFields,
  { parameters = {}, reasoning_effort, parallel_tool_calls }: ModelCallOptions,
): Partial<ResponseCreateParamsStreaming> {
  const { temperature, top_p, max_tokens } = parameters;
  const reasoning = isJsonObject(own["reasoning"]) ? own["reasoning"] : {};
  return {
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { top_p }),
    ...(max_tokens !== undefined && { max_output_tokens: max_tokens }),
    ...(parallel_tool_calls !== undefined && { parallel_tool_calls }),
    ...(reasoning_effort !== undefined && {
      reasoning: { ...reasoning, effort: reasoning_effort },
    }),
  };
}

/**
 * The tool choice: the loop's need comes before the reply's wish; the definition's own stays where neither says
 * anything.
 */
function toolChoice(
  forced: string | undefined,
  { tool_choice }: ModelCallOptions,
): Partial<ResponseCreateParamsStreaming> {
  const name = forced ?? (typeof tool_choice === "object" ? tool_choice.name : undefined);
  if (name !== undefined) return { tool_choice: { type: "function", name: toFunctionName(name) } };
  return typeof tool_choice === "string" ? { tool_choice } : {};
}

/** Not strict: strict mode refuses most schemas that people write. */
function toTool({ name, description, input_schema }: ToolDeclaration): FunctionTool {
  return {
    type: "function",
    name,
    ...(description && { description }),
    parameters: sentSchema(input_schema),
    strict: false,
  };
}
