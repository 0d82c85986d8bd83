// Shared parts of the tests of people in the loop: a reply that waits, answers to it, and tools whose calls are
// counted.
import { runInDurableObject } from "cloudflare:test";
import { vi } from "vitest";

import type { Actor, EventReceipt, SessionInit } from "../../../durable-objects/api/session-api.ts";
import type { PendingCall, Reply } from "../../../protocol/replies/contract.ts";
import type { Result } from "../../../protocol/errors.ts";
import type { InputEvent } from "../../../protocol/events.ts";
import type { PermissionRule } from "../../../protocol/messages/permission.ts";
import { createdSession, objectOf, reply, stubOf } from "../sessions/session.ts";

export const KEY: Actor = {
  kind: "api_key",
  id: "key_1",
  may_write_rules: false,
  may_take_rules: true,
  may_edit: true,
  must_prove_input: false,
};

export const REFUND = { type: "http", name: "refund", url: "https://tools.example/refund" };
export const LOOK = { ...REFUND, name: "look", read_only: true, concurrency_safe: true };
export const LABEL = {
  type: "external",
  name: "label",
  description: "Prints a label.",
  input_schema: { type: "object" },
  read_only: true,
};

export interface Parked {
  readonly init: SessionInit;
  readonly parked: Reply;
  /** The first call that waits. */
  readonly call: PendingCall;
}

export async function parkedSession(
  input = '/call refund {"order_id":"A-1001"}\n/say done',
  agent: object = {},
): Promise<Parked> {
  const init = await createdSession({ tools: [REFUND, LOOK, LABEL], ...agent });
  const parked = await reply(init, input);
  const [call] = parked.pending;
  if (!call) throw new Error(`nothing waits: ${JSON.stringify(parked)}`);
  return { init, parked, call };
}

export interface Answer {
  readonly confirmed?: boolean;
  readonly input?: string;
  readonly rules?: PermissionRule[];
  readonly reason?: string | undefined;
}

export function confirmation(
  replyId: string,
  { tool_call }: Pick<PendingCall, "tool_call">,
  { confirmed = true, input = tool_call.input, rules, reason }: Answer = {},
): InputEvent {
  return {
    ...base(replyId),
    type: "USER_CONFIRM_RESULT",
    confirm_results: [
      { confirmed, tool_call: { ...tool_call, input }, rules: rules ?? null, reason },
    ],
  };
}

export function externalResult(
  replyId: string,
  { tool_call }: Pick<PendingCall, "tool_call">,
  output: string,
): InputEvent {
  const { id, name, created_at } = tool_call;
  return {
    ...base(replyId),
    type: "EXTERNAL_EXECUTION_RESULT",
    execution_results: [
      {
        type: "tool_result",
        id,
        name,
        output,
        state: "success",
        metadata: {},
        created_at,
        finished_at: created_at,
      },
    ],
  };
}

export function interruption(replyId: string): InputEvent {
  return { ...base(replyId), type: "USER_INTERRUPT" };
}

function base(reply_id: string) {
  return { id: "in_1", created_at: "2026-01-01T00:00:00.000Z", reply_id, metadata: {} };
}

export function post(init: SessionInit, event: InputEvent): Promise<Result<EventReceipt>> {
  return stubOf(init).act("postEvent", event, { actor: KEY });
}

interface ToolRequest {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** The calls of the tools while `test` runs. */
export async function withTools(
  test: (calls: readonly ToolRequest[]) => Promise<void>,
  answer: (url: string) => Promise<Response> = async () => new Response("made"),
): Promise<void> {
  const calls: ToolRequest[] = [];
  const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init as RequestInit);
    const { url, headers } = request;
    calls.push({ url, headers: Object.fromEntries(headers), body: await request.text() });
    return answer(url);
  });
  try {
    await test(calls);
  } finally {
    spy.mockRestore();
  }
}

export function alarmOf(init: SessionInit): Promise<number | null> {
  return runInDurableObject(objectOf(init), (_, state) => state.storage.getAlarm());
}

/** Lets the session's timers of a kind be due now, as if their time had come. */
export function makeDue(init: SessionInit, kind: string): Promise<void> {
  return runInDurableObject(objectOf(init), (_, state) => {
    state.storage.sql.exec("UPDATE timers SET due_at = 1 WHERE kind = ?", kind);
  });
}

export function rowsOf(init: SessionInit, query: string): Promise<Record<string, unknown>[]> {
  return runInDurableObject(objectOf(init), (_, state) => state.storage.sql.exec(query).toArray());
}
