// Events of a caller's log about the agents that it has called, written briefly. The caller's session is `ses_1`.

interface Called {
  readonly session: string;
  readonly call: string;
  /** The session that has called it. */
  readonly parent?: string;
  readonly omitted?: true;
}

const BASE = { id: "e", created_at: "2026-01-01T00:00:00.000Z", metadata: {} };

/** The called agent's reply, by its session's name. */
function calledReply(session: string): string {
  return session.replace("ses_", "rep_");
}

export function batch(
  { session, call, parent = "ses_1", omitted }: Called,
  ...events: readonly object[]
): object {
  const reply_id = calledReply(session);
  const value = {
    reply_id: "rep_1",
    tool_call_id: call,
    session_id: session,
    agent_id: `agt_${session}`,
    agent_name: `Agent ${session}`,
    parent_session_id: parent,
    events: events.map((event, seq) => ({ ...BASE, reply_id, seq, ...event })),
    ...(omitted && { omitted }),
  };
  return { type: "CUSTOM", name: "subagent_event", value };
}

export function begun(session: string): object {
  return { type: "REPLY_START", session_id: session, name: session, role: "assistant" };
}

export function ended(session: string, more: object = {}): object {
  const type = "REPLY_END";
  return { type, session_id: session, finished_reason: "completed", error: null, ...more };
}

export function said(id: string, ...deltas: readonly string[]): object[] {
  return [
    { type: "TEXT_BLOCK_START", block_id: id },
    ...deltas.map((delta) => ({ type: "TEXT_BLOCK_DELTA", block_id: id, delta })),
    { type: "TEXT_BLOCK_END", block_id: id, text: null },
  ];
}

export function called(id: string, name = "refund"): object[] {
  return [
    { type: "TOOL_CALL_START", tool_call_id: id, tool_call_name: name },
    { type: "TOOL_CALL_DELTA", tool_call_id: id, delta: "{}" },
    { type: "TOOL_CALL_END", tool_call_id: id },
  ];
}

export function runs(id: string, name = "refund"): object {
  return { type: "TOOL_RESULT_START", tool_call_id: id, tool_call_name: name };
}

export function results(id: string, delta: string, state = "success"): object[] {
  return [
    { type: "TOOL_RESULT_TEXT_DELTA", tool_call_id: id, delta },
    { type: "TOOL_RESULT_END", tool_call_id: id, state },
  ];
}

/** The call of the caller that begins to wait, and that goes on. */
export function waits(call: string, session: string, isWaiting = true): object {
  const agent_id = `agt_${session}`;
  const value = { reply_id: "rep_1", tool_call_id: call, session_id: session, agent_id };
  return {
    type: "CUSTOM",
    name: "subagent_call",
    value: { ...value, waits: isWaiting, tokens: 0 },
  };
}

/** The event of the called agent that asks. */
export function asks(id: string, name = "refund"): object {
  const call = { type: "tool_call", id, name, input: "{}", state: "asking", suggested_rules: [] };
  const metadata = { input_hashes: { [id]: "hash" }, questions: { [id]: `Run ${name}?` } };
  return { type: "REQUIRE_USER_CONFIRM", tool_calls: [call], metadata };
}

export function allows(id: string, name = "refund"): object {
  const tool_call = { type: "tool_call", id, name, input: "{}" };
  const result = { confirmed: true, tool_call, rules: null };
  return { type: "USER_CONFIRM_RESULT", confirm_results: [result] };
}

/** The question in the caller's log. @param root The caller's call that the agent is under. */
export function question(session: string, root: string, event: object): object {
  const reply_id = calledReply(session);
  const value = {
    worker_session_id: session,
    worker_agent_id: `agt_${session}`,
    worker_agent_name: `Agent ${session}`,
    reply_id,
    event_type: "require_user_confirm",
    event: { ...BASE, reply_id, ...event },
    created_at: BASE.created_at,
    tool_call_id: root,
  };
  return { type: "CUSTOM", name: "subagent_require_user_confirm", value };
}

export function answered(session: string, root: string, ...tool_call_ids: string[]): object {
  const worker = { worker_session_id: session, reply_id: calledReply(session) };
  const value = { ...worker, tool_call_ids, tool_call_id: root };
  return { type: "CUSTOM", name: "subagent_user_confirm_result", value };
}
