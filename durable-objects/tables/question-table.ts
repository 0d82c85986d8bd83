// Questions of called agents, at any depth: the calls that wait, and those that have waited, so that a late answer is known.
import { askedCalls } from "../../agent/agents/asked-calls.ts";
import type { WaitingCalls } from "../../agent/agents/hand-on.ts";
import {
  SUBAGENT_REQUIRE_USER_CONFIRM,
  SUBAGENT_USER_CONFIRM_RESULT,
  subagentRequireUserConfirmOf,
  subagentUserConfirmResultOf,
} from "../../protocol/agents/events.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { PendingCall, SubagentPendingCall } from "../../protocol/replies/contract.ts";
import { MAX_QUESTION_CHARACTERS } from "../../protocol/agents/limits.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";

interface AskedCall {
  /** The worker's call. */
  readonly call_id: string;
  /** The call of this session that the worker is under. */
  readonly tool_call_id: string;
  /** Null while it waits. */
  readonly ended: "answered" | "cancelled" | null;
}

type OpenRow = {
  reply_id: string;
  call_id: string;
  session_id: string;
  agent_id: string;
  body: string;
};

export class QuestionTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Part of the transaction of the event. */
  record(event: LoggedEvent): void {
    if (event.type !== "CUSTOM") return;
    if (event.name === SUBAGENT_REQUIRE_USER_CONFIRM) this.#ask(event.value);
    if (event.name === SUBAGENT_USER_CONFIRM_RESULT) {
      const ended = subagentUserConfirmResultOf(event.value);
      for (const id of ended?.tool_call_ids ?? []) this.#end(ended?.reply_id ?? "", id);
    }
  }

  /** Ends what waits under a call that waits no more. */
  cancel(toolCallId: string): void {
    this.#sql.exec(
      `UPDATE subagent_questions SET ended = 'cancelled', body = NULL
       WHERE tool_call_id = ? AND ended IS NULL`,
      toolCallId,
    );
  }

  /** The calls of a worker's reply that have asked. */
  of(workerReplyId: string): readonly AskedCall[] {
    const query = "SELECT call_id, tool_call_id, ended FROM subagent_questions WHERE reply_id = ?";
    return this.#sql
      .exec<{ call_id: string; tool_call_id: string; ended: AskedCall["ended"] }>(
        query,
        workerReplyId,
      )
      .toArray();
  }

  /** Calls that wait under a call, by the worker's reply. */
  open(toolCallId: string): ReadonlyMap<string, WaitingCalls> {
    const open = new Map<string, { session_id: string; tool_call_ids: Set<string> }>();
    for (const { reply_id, call_id, session_id } of this.#openRows(toolCallId)) {
      const known = open.get(reply_id);
      if (known) known.tool_call_ids.add(call_id);
      else open.set(reply_id, { session_id, tool_call_ids: new Set([call_id]) });
    }
    return open;
  }

  /** The same, as it is shown. */
  pending(toolCallId: string): readonly SubagentPendingCall[] {
    return this.#openRows(toolCallId).map(({ body, session_id, agent_id, reply_id }) => {
      return { ...(JSON.parse(body) as PendingCall), session_id, agent_id, reply_id };
    });
  }

  #openRows(toolCallId: string): readonly OpenRow[] {
    return this.#sql
      .exec<OpenRow>(
        `SELECT reply_id, call_id, session_id, agent_id, body FROM subagent_questions
         WHERE tool_call_id = ? AND ended IS NULL`,
        toolCallId,
      )
      .toArray();
  }

  #ask(value: Readonly<Record<string, unknown>>): void {
    const asked = subagentRequireUserConfirmOf(value);
    if (!asked) return;
    for (const call of askedCalls(asked.event)) {
      this.#sql.exec(
        `INSERT INTO subagent_questions (reply_id, call_id, tool_call_id, session_id, agent_id, body)
         VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (reply_id, call_id) DO UPDATE SET ended = NULL, body = excluded.body`,
        asked.reply_id,
        call.tool_call.id,
        asked.tool_call_id,
        asked.worker_session_id,
        asked.worker_agent_id,
        JSON.stringify(withinRow(call)),
      );
    }
  }

  #end(workerReplyId: string, callId: string): void {
    this.#sql.exec(
      `UPDATE subagent_questions SET ended = 'answered', body = NULL
       WHERE reply_id = ? AND call_id = ? AND ended IS NULL`,
      workerReplyId,
      callId,
    );
  }
}

/** Without an input that a row has no room for: the event of the question has it. */
function withinRow(call: PendingCall): PendingCall {
  if (JSON.stringify(call).length <= MAX_QUESTION_CHARACTERS) return call;
  const { tool_call } = call;
  return {
    ...call,
    tool_call: { ...tool_call, input: "", suggested_rules: [] },
    suggested_rules: [],
    omitted: { bytes: utf8Bytes(tool_call.input) },
  };
}
