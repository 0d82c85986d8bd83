// The calls of the open reply that wait, with their answers on the way.
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { AskedCall, ConversationState } from "./conversation.ts";
import type { SessionCall, SessionError, SessionState } from "./session-state.ts";

/** The outcome of this store's answer to a call: null while it is on its way. */
export type AnswerFate = SessionError | null;

/** By {@link callKey}. A call without an entry was not answered by this store. */
export type AnswerFates = ReadonlyMap<string, AnswerFate>;

/**
 * Has the kind in it, because a call may wait twice: for its permission, then for its result. Calls of two replies may have
 * one id.
 */
export function callKey({
  reply_id,
  kind,
  tool_call,
}: Pick<SessionCall, "reply_id" | "kind" | "tool_call">): string {
  return `${reply_id}:${kind}:${tool_call.id}`;
}

/**
 * @param before The calls of the last time: those that did not change keep their identity.
 */
export function waitingCalls(
  { live, replyId, asked }: Pick<ConversationState, "live" | "replyId" | "asked">,
  fates: AnswerFates,
  before: readonly SessionCall[],
): readonly SessionCall[] {
  if (!live || live.message.id !== replyId) return before.length === 0 ? before : [];
  const calls = live.message.content.flatMap((block) => {
    if (block.type !== "tool_call") return [];
    if (block.state !== "asking" && block.state !== "submitted") return [];
    return [toSessionCall(block, replyId, asked.get(block.id), fates)];
  });
  return sameCalls(calls, before);
}

/** Calls of the reply itself, then those of the agents that it has called. */
export function allWaitingCalls({
  pendingCalls,
  calledAgents,
}: Pick<SessionState, "pendingCalls" | "calledAgents">): readonly SessionCall[] {
  return [pendingCalls, ...calledAgents.map((agent) => agent.pendingCalls)].flat();
}

/** The calls, each the same object as before when it has not changed; the list of before when none has. */
export function sameCalls(
  next: readonly SessionCall[],
  before: readonly SessionCall[],
): readonly SessionCall[] {
  const calls = next.map((call) => {
    const old = before.find((one) => callKey(one) === callKey(call));
    return old && isSame(old, call) ? old : call;
  });
  const isUnchanged =
    calls.length === before.length && calls.every((call, index) => call === before[index]);
  return isUnchanged ? before : calls;
}

export function toSessionCall(
  tool_call: ToolCallBlock,
  reply_id: string,
  asked: AskedCall | undefined,
  fates: AnswerFates,
): SessionCall {
  const kind = tool_call.state === "asking" ? "permission" : "external_result";
  const fate = fates.get(callKey({ reply_id, kind, tool_call }));
  return {
    kind,
    reply_id,
    tool_call,
    input: parseInput(tool_call.input),
    input_hash: asked?.input_hash ?? null,
    expires_at: asked?.expires_at ?? null,
    suggested_rules: tool_call.suggested_rules,
    ...(asked?.question !== undefined && { question: asked.question }),
    ...(asked?.editable && { editable: asked.editable }),
    ...(asked?.reasons && { reasons: asked.reasons }),
    ...(asked?.elicitation && { elicitation: asked.elicitation }),
    ...(asked?.authorization && { authorization: asked.authorization }),
    isAnswering: fate === null,
    error: fate ?? null,
  };
}

function parseInput(text: string): SessionCall["input"] {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

function isSame(one: SessionCall, other: SessionCall): boolean {
  return (
    one.tool_call === other.tool_call &&
    one.isAnswering === other.isAnswering &&
    one.error === other.error &&
    one.input_hash === other.input_hash &&
    one.expires_at === other.expires_at &&
    one.question === other.question &&
    JSON.stringify(askedOf(one)) === JSON.stringify(askedOf(other))
  );
}

function askedOf({ editable, reasons, elicitation, authorization }: SessionCall) {
  return [editable, reasons, elicitation, authorization];
}

/**
 * Whether something of the message still runs beside the calls that wait.
 * @param held Calls whose agents wait.
 */
export function hasRunningCall({ content }: Msg, held: readonly string[]): boolean {
  const submitted = new Set(held);
  for (const block of content) {
    if (block.type !== "tool_call") continue;
    if (block.state === "allowed" && !submitted.has(block.id)) return true;
    if (block.state === "submitted") submitted.add(block.id);
  }
  return content.some(
    (block) =>
      block.type === "tool_result" && block.state === "running" && !submitted.has(block.id),
  );
}
