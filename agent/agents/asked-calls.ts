// The calls that an event of a called agent asks about, and those that wait no more behind it. Pure.
import { AUTHORIZATION_COMPLETED } from "../../protocol/messages/authorization.ts";
import { askedBecause } from "../../protocol/messages/asked-because.ts";
import type { EventOf, LoggedEvent } from "../../protocol/events.ts";
import { elicitationOf, INPUT_ANSWERED } from "../../protocol/mcp/events.ts";
import type { PendingCall } from "../../protocol/replies/contract.ts";

export type Question = EventOf<"REQUIRE_USER_CONFIRM"> | EventOf<"REQUIRE_EXTERNAL_EXECUTION">;

export function isQuestion<Event extends LoggedEvent>(event: Event): event is Event & Question {
  return event.type === "REQUIRE_USER_CONFIRM" || event.type === "REQUIRE_EXTERNAL_EXECUTION";
}

/** The calls that wait, as the session that asks shows them. */
export function askedCalls({ type, tool_calls, metadata }: Question): readonly PendingCall[] {
  const isPermission = type === "REQUIRE_USER_CONFIRM";
  return tool_calls.map((call): PendingCall => {
    const question = textOf(metadata["questions"], call.id);
    const { authorization, ...because } = askedBecause(metadata, call.id);
    const elicitation = elicitationOf(metadata, call.id);
    return {
      kind: isPermission ? "permission" : "external_result",
      tool_call: call,
      input_hash: isPermission ? textOf(metadata["input_hashes"], call.id) : null,
      expires_at: textOf(metadata["expires_at"], call.id),
      suggested_rules: call.suggested_rules,
      ...(question !== null && { question }),
      ...(isPermission && because),
      ...(!isPermission && {
        ...(elicitation && {
          elicitation: {
            server: elicitation.server,
            requests: elicitation.requests,
            round: elicitation.round,
          },
        }),
        ...(authorization && { authorization }),
      }),
    };
  });
}

/**
 * The calls that do not wait any more for what they have asked; null for all of the reply, which has ended. A call that was
 * confirmed may ask again, for its result.
 */
export function endedCalls(event: LoggedEvent): readonly string[] | null {
  switch (event.type) {
    case "USER_CONFIRM_RESULT":
      return event.confirm_results.map(({ tool_call }) => tool_call.id);
    case "EXTERNAL_EXECUTION_RESULT":
      return event.execution_results.map(({ id }) => id);
    // Also of a call that a rule or the time has decided about.
    case "TOOL_RESULT_END":
      return [event.tool_call_id];
    case "CUSTOM":
      if (event.name === INPUT_ANSWERED) return textsOf([event.value["tool_call_id"]]);
      if (event.name === AUTHORIZATION_COMPLETED) return textsOf(event.value["tool_call_ids"]);
      return [];
    case "REPLY_END":
      return null;
    default:
      return [];
  }
}

function textsOf(values: unknown): readonly string[] {
  return Array.isArray(values)
    ? values.filter((value): value is string => typeof value === "string")
    : [];
}

/** The entry of one call in an event's metadata. */
function textOf(byCall: unknown, id: string): string | null {
  if (typeof byCall !== "object" || byCall === null || !Object.hasOwn(byCall, id)) return null;
  const value = (byCall as Record<string, unknown>)[id];
  return typeof value === "string" ? value : null;
}
