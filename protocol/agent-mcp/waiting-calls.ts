import type { PendingCall, Reply } from "../replies/contract.ts";

/** A call that waits for an answer, with the reply that an answer to it names. */
export interface WaitingCall {
  readonly call: PendingCall;
  readonly reply_id: string;
}

/** The calls that a reply waits for: its own, and those of agents that it has called, at any depth. */
export function waitingCalls({
  id,
  pending,
  subagents = [],
}: Pick<Reply, "id" | "pending" | "subagents">): readonly WaitingCall[] {
  const own = pending.map((call) => ({ call, reply_id: id }));
  const below = subagents.flatMap(({ pending: asked = [] }) =>
    asked.map((call) => ({ call, reply_id: call.reply_id })),
  );
  return [...own, ...below];
}
