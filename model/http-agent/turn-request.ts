// The question to the server of an agent in code for a turn: in no provider's form, and of the size of what a hook is shown.
import { showRequest } from "../../agent/hooks/shown-request.ts";
import type { ModelRequest } from "../../agent/ports.ts";
import type { AgentInterrupted, AgentTurn } from "../../protocol/agents/agent-turn.ts";
import type { JsonSchema } from "../../protocol/schemas/structured-output.ts";

/** The function of AgentScope's `AgentBase` that is asked. */
export type AgentMethod = (AgentTurn | AgentInterrupted)["method"];

/** The reply that turns are given in. */
export interface ServedReply extends Pick<AgentTurn, "session_id" | "reply_id" | "end_user_id"> {
  readonly agent: Omit<AgentTurn["agent"], "system_prompt">;
  /** The number of the turn that comes next, from 1. */
  turn(): number;
  /** The schema that the reply has to fill in; null for none. */
  structuredSchema(): JsonSchema | null;
}

/** Pure. Members in the order of docs/agents-over-http.md. */
export function turnRequest(
  request: ModelRequest,
  reply: ServedReply,
  method: AgentMethod,
): AgentTurn | AgentInterrupted {
  const { session_id, reply_id, end_user_id } = reply;
  const { request: shown, note } = showRequest(request, reply.structuredSchema(), "an agent");
  const last = shown.messages.at(-1);
  const message = last?.id === reply_id ? last : null;
  const about = { session_id, reply_id, end_user_id };
  const agent = { ...reply.agent, system_prompt: shown.system_prompt };
  const left = note === undefined ? {} : { note };
  if (method === "handle_interrupt") {
    return { id: `${reply_id}-interrupt`, method, ...about, agent, message, ...left };
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
    agent,
    input: before.slice(answered),
    history: before.slice(0, answered),
    message,
    tools,
    tool_choice,
    structured_schema,
    ...left,
  };
}
