import type { InterruptQuery, InterruptResult } from "../../protocol/replies/contract.ts";
import { accept, type Result } from "../../protocol/errors.ts";
import { INTERRUPT_REMARK_MS } from "../../protocol/replies/limits.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { ActContext } from "./act.ts";
import { viewKeptReply } from "./view-kept-reply.ts";

/** The value kept under the idempotency key: the answer of a repeated request is built from it. */
export interface KeptInterrupt {
  /** Null when no reply was open. */
  readonly reply_id: string | null;
}

/** Ends the open reply, and waits for what its model says about that. @param queued Whether queued replies are kept, or ended without having run. */
export async function interruptSession(
  session: OpenSession,
  { queued = "keep" }: Partial<InterruptQuery>,
  { recordResult }: ActContext<KeptInterrupt>,
): Promise<Result<InterruptResult>> {
  const reply_id = session.openReply?.id ?? null;
  const write = () => {
    recordResult({ reply_id });
    if (queued === "drop") session.tables.queue.interruptAll();
  };
  if (reply_id === null) session.transaction(write);
  const { interrupted, reply } = await session.runner.interrupt([], write, {
    isByUser: true,
  });
  if (queued === "drop") await session.queue.beginQueued();
  if (reply?.status !== "running") return accept({ interrupted, reply });
  const ended = await session.queue.read(reply.id, 2 * INTERRUPT_REMARK_MS);
  return ended.ok ? accept({ interrupted, reply: ended.value }) : ended;
}

export async function viewInterrupt(
  session: OpenSession,
  { reply_id }: KeptInterrupt,
): Promise<Result<InterruptResult>> {
  const reply = await viewKeptReply(session, reply_id);
  return accept({ interrupted: reply_id !== null, reply });
}
