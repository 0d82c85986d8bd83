// Questions of a reply's calls to a person, as a fold of its events.
import {
  elicitationOf,
  INPUT_ANSWERED,
  INPUT_SENT,
  type Elicitation,
  type InputResponses,
} from "../../protocol/mcp/events.ts";
import { REPLY_RECOVERED } from "../../protocol/fold/append-custom.ts";
import type { AgentEvent } from "../../protocol/events.ts";
import { authorizationOf } from "../../protocol/messages/authorization.ts";
import type { Msg } from "../../protocol/messages/messages.ts";

export interface AskedInput {
  readonly elicitation: Elicitation;
  /** Null until it is answered. */
  readonly responses: InputResponses | null;
  /** The answers have left, or were about to, in a new request. */
  readonly is_sent: boolean;
}

/** By call id: the last thing that it asked for. */
export type InputRecord = ReadonlyMap<string, AskedInput>;

export const NO_INPUTS: InputRecord = new Map();

export function advanceInputs(before: InputRecord, event: AgentEvent): InputRecord {
  if (event.type === "REQUIRE_EXTERNAL_EXECUTION") {
    const asked = event.tool_calls.flatMap(({ id }) => {
      const elicitation = elicitationOf(event.metadata, id);
      if (elicitation) return [[id, { elicitation, responses: null, is_sent: false }] as const];
      // The server took nothing before the sign-in, so the answers are sent again behind it.
      const asked = authorizationOf(event.metadata, id) && before.get(id);
      return asked ? [[id, { ...asked, is_sent: false }] as const] : [];
    });
    return asked.length === 0 ? before : new Map([...before, ...asked]);
  }
  if (event.type === "TOOL_RESULT_END") return without(before, [event.tool_call_id]);
  if (event.type !== "CUSTOM" || before.size === 0) return before;
  const { name, value } = event;
  // A call that is made again begins anew.
  if (name === REPLY_RECOVERED) return without(before, listOf(value["discard_tool_result_ids"]));
  const id = value["tool_call_id"];
  const asked = typeof id === "string" ? before.get(id) : undefined;
  if (typeof id !== "string" || !asked) return before;
  if (name === INPUT_ANSWERED) {
    const responses = value["responses"] as InputResponses;
    return new Map(before).set(id, { ...asked, responses });
  }
  return name === INPUT_SENT ? new Map(before).set(id, { ...asked, is_sent: true }) : before;
}

/** The calls that wait for a person while their server waits on an open connection. */
export function heldCallIds(state: {
  readonly message: Msg;
  readonly inputs: InputRecord;
}): readonly string[] {
  if (state.inputs.size === 0) return [];
  return state.message.content.flatMap((block) =>
    block.type === "tool_call" &&
    block.state === "submitted" &&
    state.inputs.get(block.id)?.elicitation.held
      ? [block.id]
      : [],
  );
}

/** Whether the answers of a call are known and were not sent: it continues after a crash, and nothing is done twice. */
export function isReadyToSend(inputs: InputRecord, callId: string): boolean {
  const asked = inputs.get(callId);
  return (
    asked !== undefined && asked.responses !== null && !asked.elicitation.held && !asked.is_sent
  );
}

function without(before: InputRecord, ids: readonly unknown[]): InputRecord {
  if (!ids.some((id) => before.has(id as string))) return before;
  return new Map([...before].filter(([id]) => !ids.includes(id)));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
