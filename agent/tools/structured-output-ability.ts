// Structured output: the model gives its answer by calling one more tool, whose input schema is the schema to fill in.
// The tool is internal to the reply. The schema is in `REPLY_START`, so the reply's state has it from the log.
import { STRUCTURED_OUTPUT } from "../../protocol/fold/append-custom.ts";
import { STRUCTURED_OUTPUT_GRACE_ROUNDS } from "../../protocol/replies/limits.ts";
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import {
  STRUCTURED_OUTPUT_TOOL,
  type JsonSchema,
} from "../../protocol/schemas/structured-output.ts";
import type { Ability, Settlement } from "../ability.ts";
import { roomForResults } from "../state/budget.ts";
import { firstInexact, withDoubles } from "../exact-number.ts";
import { readCallInput, type CallInput } from "../tool-call/call-input.ts";
import { fillDefaults } from "../json/fill-defaults.ts";
import type { ToolDeclaration } from "../ports.ts";
import { countTurnCalls, type ReplyState } from "../state/reply-state.ts";

/** The `source` of the hints that remind the model of the tool. */
const SOURCE = "structured_output";

const HINT = `When you have what you need, give your answer by calling the tool ${STRUCTURED_OUTPUT_TOOL}. Text alone does not end this task.`;

/** The tool and its reminder, in a reply that has a schema to fill in. */
export const STRUCTURED_OUTPUT_ABILITY: Ability = {
  name: "structured_output",
  hint: {
    source: SOURCE,
    // Without the tool it would ask for what cannot be done.
    outlivesReply: { withTool: STRUCTURED_OUTPUT_TOOL },
    mayRepeat: true,
    /** Null while the reminder is the last block already, as after a failed model call. */
    text({ message, structured_schema }) {
      const last = message.content.at(-1);
      const isLast = last?.type === "hint" && last.source === SOURCE;
      return structured_schema && !isLast ? HINT : null;
    },
  },
  requiredTool: ({ structured_schema, message }) =>
    structured_schema && {
      name: STRUCTURED_OUTPUT_TOOL,
      isDone: message.structured_output !== null,
      extraRounds: STRUCTURED_OUTPUT_GRACE_ROUNDS,
    },
  tools: {
    kind: "internal",
    declare: ({ structured_schema }) => (structured_schema ? [declareTool(structured_schema)] : []),
    settle,
  },
};

/** The event with the value is in the append of the call's result, so that no crash separates the two. */
function settle(call: ToolCallBlock, state: ReplyState): Settlement {
  const read = readOutput(call, state);
  if (!read.ok) return { text: read.text, isError: true };
  const inexact = firstInexact(read.input);
  if (inexact !== null) {
    const text = `The value has the number ${inexact.slice(0, 40)}, which its readers may take for another one. Give it as a text, or leave it out.`;
    return { text, isError: true };
  }
  const reply_id = state.message.id;
  const value = { reply_id, output: withDoubles(read.input) };
  return {
    text: "The structured output is complete.",
    after: [{ type: "CUSTOM", name: STRUCTURED_OUTPUT, reply_id, value }],
  };
}

/** Reads and checks the value. It takes room twice: in the call and as the message's `structured_output`. */
function readOutput(call: ToolCallBlock, state: ReplyState): CallInput {
  if (call.input.length > roomForResults(state)) {
    return {
      ok: false,
      text: "The reply has no room for a value of this size. Give a smaller one.",
    };
  }
  const schema = state.structured_schema ?? {};
  return readCallInput(call, declareTool(schema), {
    calls: countTurnCalls(state),
    complete: (input, budget) => fillDefaults(schema, withoutPrototype(input), budget),
  });
}

/** Drops a member `__proto__`, which a message cannot hold. */
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
