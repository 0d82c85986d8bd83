import type { InterruptQuery, InterruptResult, Reply } from "../../protocol/replies/contract.ts";
import { accept, type Result } from "../../protocol/errors.ts";
import { INTERRUPT_REMARK_MS } from "../../protocol/replies/limits.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { act, type ActContext, type Untraced } from "./act.ts";
import { viewReply } from "../replies/reply-view.ts";
import {
  followReply,
  type FollowedBy,
  keepReply,
  leaveReply,
  type ReplyQuestion,
} from "../sessions/left-replies.ts";
import { listReplies } from "../sessions/session-pages.ts";
import type { ReplyStart } from "../api/session-api.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import type { PageRequest } from "../api/page-requests.ts";

/** The value kept under the idempotency key: the answer of a repeated request is built from it. */
export interface KeptInterrupt {
  /** Null when no reply was open. */
  readonly reply_id: string | null;
}

/** Ends the open reply, and waits for what its model says about that. @param queued Whether queued replies are kept, or ended without having run. */
async function interruptSession(
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

async function viewInterrupt(
  session: OpenSession,
  { reply_id }: KeptInterrupt,
): Promise<Result<InterruptResult>> {
  const reply = await viewKeptReply(session, reply_id);
  return accept({ interrupted: reply_id !== null, reply });
}

/** For a replay: the reply that the first answer named, in its current state; null when it named none. */
export async function viewKeptReply(
  session: OpenSession,
  replyId: string | null,
): Promise<Reply | null> {
  if (replyId === null) return null;
  const found = await session.queue.read(replyId, 0);
  return found.ok ? found.value : null;
}

/**
 * For a replay: the reply as it was when it started, with the cursor before its first event, to be streamed from there.
 */
async function viewStartedReply(session: OpenSession, replyId: string): Promise<Result<Reply>> {
  const row = session.tables.replies.find(replyId);
  if (!row) return session.queue.read(replyId, 0);
  await session.log.settled();
  const started = { ...row, status: "running" } as const;
  return accept(viewReply(started, session.init.session_id, null, session.tables.calls));
}

export const REPLY_ACTS = {
  /** Resolves when `REPLY_START` is durable; the reply then runs whether its stream is read or not. Keeps its id. */
  startReply: act<Untraced<ReplyStart>, Reply, string>({
    run: (session, start, { actor, trace, recordResult }) =>
      session.queue.start({ ...start, trace, share: actor?.share }, recordResult),
    replay: viewStartedReply,
  }),

  readReply: act<ReplyQuestion, Reply>({ answersUnreadable: true, run: followReply }),

  /** A call of MCP follows the reply again. Returns whether the reply ends when the call's client leaves. */
  keepReply: act<FollowedBy, boolean>({ run: keepReply }),

  /** The client of a call of MCP has left: the reply is interrupted soon, unless another call follows it. */
  leaveReply: act<FollowedBy, null>({ run: leaveReply }),

  /** Newest first. */
  listReplies: act<PageRequest, Page<Reply>>({ answersUnreadable: true, run: listReplies }),

  /** Resolves when `REPLY_END` is durable. Queued replies are kept by default. */
  interrupt: act<Partial<InterruptQuery>, InterruptResult, KeptInterrupt>({
    run: interruptSession,
    replay: viewInterrupt,
  }),
} as const;
