// Structured output: the model fills a schema in by calling one more tool, which nothing outside ever hears of.
import { STRUCTURED_OUTPUT } from "../../protocol/fold/append-custom.ts";
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { STRUCTURED_OUTPUT_TOOL, type JsonSchema } from "../../protocol/structured-output.ts";
import { roomForResults } from "../state/budget.ts";
import { readCallInput, type CallInput } from "../tool-call/call-input.ts";
import { fillDefaults } from "../json/fill-defaults.ts";
import type { NewId, ToolDeclaration } from "../ports.ts";
import { countTurnCalls, type ReplyState } from "../state/reply-state.ts";

/** The `source` of the hints that remind the model of the tool. */
export const STRUCTURED_HINT_SOURCE = "structured_output";

const HINT = `When you have what you need, give your answer by calling the tool ${STRUCTURED_OUTPUT_TOOL}. Text alone does not end this task.`;

/** What the model may call: the agent's tools, and the one more while a schema is to be filled in. */
export function offeredTools(
  tools: readonly ToolDeclaration[],
  { structured_schema }: ReplyState,
): readonly ToolDeclaration[] {
  return structured_schema ? [...tools, declareTool(structured_schema)] : tools;
}

/** What comes before a model call; nothing when the reminder is the last thing that was said, as after a failed call. */
export function structuredHint(
  { message, structured_schema }: ReplyState,
  newId: NewId,
): EventDraft[] {
  if (!structured_schema) return [];
  const last = message.content.at(-1);
  if (last?.type === "hint" && last.source === STRUCTURED_HINT_SOURCE) return [];
  return [
    {
      type: "HINT_BLOCK",
      reply_id: message.id,
      block_id: newId("blk"),
      source: STRUCTURED_HINT_SOURCE,
      hint: HINT,
    },
  ];
}

/**
 * The result of a call of the tool, and with a valid one the value itself: one append, so that no crash comes between
 * them. Null when the call is another tool's, or nothing is to be filled in.
 */
export function structuredResult(call: ToolCallBlock, state: ReplyState): EventDraft[] | null {
  const { message, structured_schema } = state;
  if (!structured_schema || call.name !== STRUCTURED_OUTPUT_TOOL) return null;
  const reply_id = message.id;
  const target = { reply_id, tool_call_id: call.id };
  const read = readOutput(call, structured_schema, state);
  const text = read.ok ? "The structured output is complete." : read.text;
  const result: EventDraft[] = [
    { type: "TOOL_RESULT_START", ...target, tool_call_name: call.name },
    { type: "TOOL_RESULT_TEXT_DELTA", ...target, delta: text },
    { type: "TOOL_RESULT_END", ...target, state: read.ok ? "success" : "error" },
  ];
  if (!read.ok) return result;
  const value = { reply_id, output: read.input };
  return [...result, { type: "CUSTOM", name: STRUCTURED_OUTPUT, reply_id, value }];
}

/** The value stands in the message once more, beside the call. */
function readOutput(call: ToolCallBlock, schema: JsonSchema, state: ReplyState): CallInput {
  if (call.input.length > roomForResults(state)) {
    return {
      ok: false,
      text: "The reply has no room for a value of this size. Give a smaller one.",
    };
  }
  return readCallInput(call, declareTool(schema), {
    calls: countTurnCalls(state),
    complete: (input, budget) => fillDefaults(schema, withoutPrototype(input), budget),
  });
}

/** A member `__proto__` is one that no message can hold. */
function withoutPrototype(input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== "__proto__"));
}

function declareTool(schema: JsonSchema): ToolDeclaration {
  return {
    name: STRUCTURED_OUTPUT_TOOL,
    description: "Gives the final answer as a value that fits the schema of this tool's input.",
    input_schema: schema,
    read_only: true,
    concurrency_safe: true,
    idempotent: true,
  };
}
