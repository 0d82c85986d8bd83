import type { LoggedEvent } from "../../sdk/index.ts";
import { wordsOfCustom } from "./words/custom-words.ts";

/** Characters of a summary: one line of the list. */
const MAX_CHARACTERS = 160;

/** Content of an event, in a few words. */
export function summarizeEvent(event: LoggedEvent): string {
  return wordsOf(event).slice(0, MAX_CHARACTERS);
}

function wordsOf(event: LoggedEvent): string {
  switch (event.type) {
    case "REPLY_START":
      return event.name;
    case "REPLY_END":
      return event.error
        ? `${event.finished_reason}: ${event.error.message}`
        : event.finished_reason;
    case "MODEL_CALL_START":
      return event.model_name;
    case "MODEL_CALL_END":
      return `${event.input_tokens} tokens in, ${event.output_tokens} out`;
    case "TEXT_BLOCK_DELTA":
    case "THINKING_BLOCK_DELTA":
    case "TOOL_CALL_DELTA":
    case "TOOL_RESULT_TEXT_DELTA":
      return event.delta;
    case "TOOL_CALL_START":
    case "TOOL_RESULT_START":
      return event.tool_call_name;
    case "TOOL_RESULT_END":
      return event.state;
    case "REQUIRE_EXTERNAL_EXECUTION":
      return event.tool_calls
        .map(({ id, name }) => `${name}${waitsFor(event.metadata, id)}`)
        .join(", ");
    case "REQUIRE_USER_CONFIRM":
      return event.tool_calls.map(({ name }) => name).join(", ");
    case "USER_CONFIRM_RESULT":
      return event.confirm_results
        .map(({ confirmed, tool_call }) => `${tool_call.name} ${confirmed ? "allowed" : "denied"}`)
        .join(", ");
    case "EXTERNAL_EXECUTION_RESULT":
      return event.execution_results.map(({ name }) => name).join(", ");
    case "CUSTOM":
      return wordsOfCustom(event.name, event.value);
    default:
      return "";
  }
}

function waitsFor(
  { authorizations, elicitations }: Readonly<Record<string, unknown>>,
  id: string,
): string {
  if (hasMember(authorizations, id)) return " waits for a sign-in";
  return hasMember(elicitations, id) ? " asks a person" : "";
}

function hasMember(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name);
}
