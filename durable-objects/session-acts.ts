// What is done to a session from outside and must not be done twice: each act with what its answer is made of again.
import type { WrittenEvent } from "../agent/json/complete-answer.ts";
import type { ClientTokenRecord } from "../protocol/api/client-tokens.ts";
import type { Observed } from "../protocol/api/observe.ts";
import type { SessionRule } from "../protocol/api/permission-rules.ts";
import type { InterruptQuery, InterruptResult, Reply } from "../protocol/api/replies.ts";
import { accept, refuse, type Result } from "../protocol/errors.ts";
import type { PermissionRule } from "../protocol/messages/permission.ts";
import type { TraceContext } from "../protocol/trace-context.ts";
import { observeMessages, viewObserved, type KeptObserved } from "./conversation/observe.ts";
import { once } from "./tables/once.ts";
import type { OpenSession } from "./session/open-session.ts";
import { postEvent, type KeptReceipt } from "./answers/post-event.ts";
import { viewReply } from "./reply/reply-view.ts";
import type { Actor, EventReceipt, Idempotency, Once, ReplyStart } from "./api/session-api.ts";
import { addRules, refuseTooMany } from "./answers/session-permissions.ts";

export function startReplyOnce(
  session: OpenSession,
  start: ReplyStart,
  idempotency?: Idempotency,
): Promise<Once<Reply>> {
  return once<string, Reply>(session.tables.idempotency, idempotency, {
    act: (keep) => session.control.startReply(start, keep),
    replay: (replyId) => readStarted(session, replyId),
  });
}

/** As it was when it started, with the position before its first event, so that it is read from there. */
async function readStarted(session: OpenSession, replyId: string): Promise<Result<Reply>> {
  const row = session.tables.replies.find(replyId);
  if (!row) return session.control.readReply(replyId, 0);
  await session.log.settled();
  const started = { ...row, status: "running" } as const;
  return accept(viewReply(started, session.init.session_id, null, session.tables.calls));
}

interface KeptInterrupt {
  /** Null when nothing ran or waited. */
  readonly reply_id: string | null;
}

/** @param queued What becomes of the replies that wait for their turn. */
export function interruptOnce(
  session: OpenSession,
  queued: InterruptQuery["queued"],
  idempotency?: Idempotency,
): Promise<Once<InterruptResult>> {
  return once<KeptInterrupt, InterruptResult>(session.tables.idempotency, idempotency, {
    async act(keep) {
      const reply_id = session.openReply?.id ?? null;
      const write = () => {
        keep({ reply_id });
        if (queued === "drop") session.tables.queue.interruptAll();
      };
      if (reply_id === null) session.transaction(write);
      const { interrupted, reply } = await session.control.interrupt([], write);
      if (queued === "drop") await session.control.starter.goOn();
      return accept({ interrupted, reply });
    },
    async replay({ reply_id }) {
      const reply = await viewKept(session, reply_id);
      return accept({ interrupted: reply_id !== null, reply });
    },
  });
}

export function postEventOnce(
  session: OpenSession,
  event: WrittenEvent,
  request: { readonly actor: Actor; readonly trace?: TraceContext },
  idempotency?: Idempotency,
): Promise<Once<EventReceipt>> {
  const { actor, trace } = request;
  return once<KeptReceipt, EventReceipt>(session.tables.idempotency, idempotency, {
    act: (keep) => postEvent(session, event, actor, { trace, keep }),
    async replay({ reply_id, ...receipt }) {
      return accept({ reply: await viewKept(session, reply_id), ...receipt });
    },
  });
}

export function observeOnce(
  session: OpenSession,
  input: ReplyStart["input"],
  idempotency?: Idempotency,
): Promise<Once<Observed>> {
  return once<KeptObserved, Observed>(session.tables.idempotency, idempotency, {
    act: (keep) => observeMessages(session, input, keep),
    async replay(kept) {
      await session.log.settled();
      return accept(viewObserved(session, kept));
    },
  });
}

export function addRulesOnce(
  session: OpenSession,
  rules: readonly PermissionRule[],
  actor: Actor,
  idempotency?: Idempotency,
): Promise<Once<readonly SessionRule[]>> {
  return once<readonly SessionRule[], readonly SessionRule[]>(
    session.tables.idempotency,
    idempotency,
    {
      async act(keep) {
        const tooMany = refuseTooMany(session, rules);
        if (tooMany) return tooMany;
        return session.transaction(() => {
          const added = addRules(session, rules, actor);
          keep(added);
          return accept(added);
        });
      },
      async replay(added) {
        return accept(added);
      },
    },
  );
}

export function addTokenOnce<Token extends ClientTokenRecord>(
  session: OpenSession,
  token: Token,
  idempotency?: Idempotency,
): Promise<Once<Token>> {
  return once<Token, Token>(session.tables.idempotency, idempotency, {
    async act(keep) {
      // A Worker may believe its key for a while after it was revoked.
      if (token.key_id && session.subscribers.isKeyCut(token.key_id)) {
        return refuse("unauthenticated", "the API key was revoked");
      }
      return session.transaction(() => {
        session.tables.tokens.add(token, Date.now());
        keep(token);
        return accept(token);
      });
    },
    async replay(kept) {
      return accept(kept);
    },
  });
}

/** As it stands; null when there was none. */
async function viewKept(session: OpenSession, replyId: string | null): Promise<Reply | null> {
  if (replyId === null) return null;
  const found = await session.control.readReply(replyId, 0);
  return found.ok ? found.value : null;
}
