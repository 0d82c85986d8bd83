// What the server of an agent in code is sent for a turn: in no provider's form, and of the size of what a hook is shown.
import { showRequest } from "../../agent/hooks/shown-request.ts";
import type { ModelRequest } from "../../agent/ports.ts";
import type { JsonSchema } from "../../protocol/schemas/structured-output.ts";

/** The reply that turns are given in. */
export interface ServedReply {
  readonly session_id: string;
  readonly reply_id: string;
  readonly end_user_id: string | null;
  readonly agent: {
    readonly id: string;
    readonly version: number;
    readonly name: string;
    readonly metadata: Readonly<Record<string, unknown>>;
  };
  /** The number of the turn that comes next, from 1. */
  turn(): number;
  /** The schema that the reply has to fill in; null for none. */
  structuredSchema(): JsonSchema | null;
}

export interface TurnQuestion {
  /** The same each time that it is asked. Without a dot. */
  readonly id: string;
  /** The function of AgentScope's `AgentBase`. */
  readonly method: "reply" | "handle_interrupt";
}

/** Pure. Members in the order of docs/agents-over-http.md. */
export function turnQuestion(
  request: ModelRequest,
  reply: ServedReply,
  method: TurnQuestion["method"],
): TurnQuestion & Readonly<Record<string, unknown>> {
  const { session_id, reply_id, end_user_id, agent } = reply;
  const { request: shown, note } = showRequest(request, reply.structuredSchema(), "an agent");
  const last = shown.messages.at(-1);
  const message = last?.id === reply_id ? last : null;
  const about = { session_id, reply_id, end_user_id };
  const known = { ...agent, system_prompt: shown.system_prompt };
  const left = note === undefined ? {} : { note };
  if (method === "handle_interrupt") {
    return { id: `${reply_id}-interrupt`, method, ...about, agent: known, message, ...left };
  }
  const before = message ? shown.messages.slice(0, -1) : shown.messages;
  const answered = before.map(({ role }) => role).lastIndexOf("assistant") + 1;
  const turn = reply.turn();
  const { tools, tool_choice, structured_schema } = shown;
  return {
    id: `${reply_id}-${turn}`,
    method,
    turn,
    ...about,
    agent: known,
    input: before.slice(answered),
    history: before.slice(0, answered),
    message,
    tools,
    tool_choice,
    structured_schema,
    ...left,
  };
}
