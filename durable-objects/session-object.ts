// The shell around one session: RPC in, unions out. It holds nothing but the session itself.
import { DurableObject } from "cloudflare:workers";

import type { WrittenEvent } from "../agent/complete-answer.ts";
import type { ClientTokenRecord } from "../protocol/api/client-tokens.ts";
import type { Page } from "../protocol/api/common.ts";
import type {
  Decision,
  RuleTest,
  RuleTestResult,
  SessionRule,
} from "../protocol/api/permission-rules.ts";
import type { InterruptQuery, InterruptResult, Reply } from "../protocol/api/replies.ts";
import type { Observed } from "../protocol/api/observe.ts";
import type { AgentStateInput } from "../protocol/api/session-state.ts";
import type { SharedState } from "../protocol/api/shared-state.ts";
import type { Session } from "../protocol/api/sessions.ts";
import { accept, refuse, type Result } from "../protocol/errors.ts";
import type { PermissionRule } from "../protocol/permission.ts";
import type { TraceContext } from "../protocol/trace-context.ts";
import { COPY_ABANDONED_MS } from "../protocol/limits-sessions.ts";
import { copyConversation, eraseCopy } from "./conversation-copy.ts";
import { runDueTimers } from "./due-timers.ts";
import { readForkMessages, readForkSource } from "./fork-source.ts";
import { deliverLastUsage } from "./last-usage.ts";
import { OpenSession } from "./open-session.ts";
import { streamResponse } from "./open-stream.ts";
import type { PageRequest } from "./page-requests.ts";
import { readResponse } from "./read-response.ts";
import { viewSession } from "./reply-view.ts";
import { revokeToken } from "./revoke-token.ts";
import { hasSchema, migrate } from "./schema.ts";
import type {
  Actor,
  CopiedMessages,
  EventReceipt,
  ForkSource,
  Idempotency,
  Once,
  ReplyStart,
  RunStart,
  SessionApi,
  SessionFork,
  SessionInit,
  SessionPatch,
  StartedRun,
  StatePatch,
} from "./session-api.ts";
import {
  addRulesOnce,
  addTokenOnce,
  interruptOnce,
  observeOnce,
  postEventOnce,
  startReplyOnce,
} from "./session-acts.ts";
import { parseReadUrl } from "./session-api.ts";
import { updateSession } from "./update-session.ts";
import { listDecisions, listRules, removeRule, testCall } from "./session-permissions.ts";
import { checkListing, endListing, expectListing, isListingOpen } from "./session-listing.ts";
import { listReplies } from "./session-pages.ts";
import { importState } from "./session-state.ts";
import { readSessionInit, writeSessionInit } from "./session-tables.ts";
import { sessionTimers } from "./session-timers.ts";
import { patchSharedState, readSharedState } from "./shared-state.ts";
import { startRun } from "./start-run.ts";
import { refusalResponse } from "./stream-request.ts";

const NOT_FOUND = refuse("not_found", "there is no such session");

export class SessionObject extends DurableObject<Env> implements SessionApi {
  #session: OpenSession | null = null;
  #isCopying = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    // An object that was never created has no tables, and asking for it must not make any.
    if (!hasSchema(ctx.storage.sql)) return;
    migrate(ctx.storage);
    const init = readSessionInit(ctx.storage.sql);
    if (init) this.#session = new OpenSession(ctx, env, init);
  }

  async create(init: SessionInit): Promise<Result<Session>> {
    if (this.#session && this.#session.init.session_id !== init.session_id) {
      return refuse("conflict", "this object holds another session");
    }
    if (!this.#session) {
      migrate(this.ctx.storage);
      writeSessionInit(this.ctx.storage.sql, init);
      this.#session = new OpenSession(this.ctx, this.env, init);
      expectListing(this.#session.tables.timers);
    } else if (isListingOpen(this.#session.tables.timers)) {
      // Made by a request that died: the one that asks now is about to list it.
      expectListing(this.#session.tables.timers);
    }
    return this.read();
  }

  async read(): Promise<Result<Session>> {
    return this.#session ? accept(viewSession(this.#session.init, this.#session)) : NOT_FOUND;
  }

  async createFork(fork: SessionFork): Promise<Result<Session>> {
    if (this.#session || this.#isCopying) {
      return refuse("conflict", "this object holds a session or is becoming one");
    }
    this.#isCopying = true;
    try {
      const copied = await copyConversation(this.ctx, this.env, fork);
      if (!copied.ok) return copied;
    } finally {
      this.#isCopying = false;
    }
    this.#session = new OpenSession(this.ctx, this.env, fork.init);
    return this.read();
  }

  async update(patch: SessionPatch): Promise<Result<Session>> {
    if (!this.#session) return NOT_FOUND;
    const updated = updateSession(this.#session, patch);
    if (!updated.ok) return updated;
    await this.ctx.storage.sync();
    return this.read();
  }

  async listed(): Promise<Result<null>> {
    if (!this.#session) return NOT_FOUND;
    if (isListingOpen(this.#session.tables.timers)) await this.#settleListing(this.#session);
    return accept(null);
  }

  /** One erasure is one step of the storage, its alarm included: a death in here leaves all of the session or nothing. */
  async remove(createdAt?: string): Promise<Result<null>> {
    const session = this.#session;
    if (session && createdAt && session.init.created_at !== createdAt) return NOT_FOUND;
    // What is left of an erasure that the storage refused is erased too.
    if (!session && (this.#isCopying || !hasSchema(this.ctx.storage.sql))) return NOT_FOUND;
    const usage = session?.outbox.untoldUsage(session.openReply, session.log.lastSeq) ?? [];
    session?.close();
    this.#session = null;
    await this.ctx.storage.deleteAll();
    await deliverLastUsage(this.env.DB, usage);
    return accept(null);
  }

  async startReply(start: ReplyStart, idempotency?: Idempotency): Promise<Once<Reply>> {
    return this.#session ? startReplyOnce(this.#session, start, idempotency) : NOT_FOUND;
  }

  async readReply(replyId: string, waitMs: number): Promise<Result<Reply>> {
    return this.#session?.readReply(replyId, waitMs) ?? NOT_FOUND;
  }

  async listReplies(request: PageRequest): Promise<Result<Page<Reply>>> {
    return this.#session ? listReplies(this.#session, request) : NOT_FOUND;
  }

  async interrupt(
    queued: InterruptQuery["queued"] = "keep",
    idempotency?: Idempotency,
  ): Promise<Once<InterruptResult>> {
    return this.#session ? interruptOnce(this.#session, queued, idempotency) : NOT_FOUND;
  }

  async startRun(start: RunStart, actor: Actor): Promise<Result<StartedRun>> {
    return this.#session ? startRun(this.#session, start, actor) : NOT_FOUND;
  }

  async postEvent(
    event: WrittenEvent,
    actor: Actor,
    trace?: TraceContext,
    idempotency?: Idempotency,
  ): Promise<Once<EventReceipt>> {
    if (!this.#session) return NOT_FOUND;
    return postEventOnce(this.#session, event, { actor, trace }, idempotency);
  }

  async listRules(): Promise<Result<readonly SessionRule[]>> {
    return this.#session ? accept(listRules(this.#session)) : NOT_FOUND;
  }

  async addRules(
    rules: readonly PermissionRule[],
    actor: Actor,
    idempotency?: Idempotency,
  ): Promise<Once<readonly SessionRule[]>> {
    return this.#session ? addRulesOnce(this.#session, rules, actor, idempotency) : NOT_FOUND;
  }

  async removeRule(ruleId: string): Promise<Result<null>> {
    return this.#session ? removeRule(this.#session, ruleId) : NOT_FOUND;
  }

  async testCall(call: RuleTest): Promise<Result<RuleTestResult>> {
    return this.#session ? testCall(this.#session, call) : NOT_FOUND;
  }

  async listDecisions(request: PageRequest): Promise<Result<Page<Decision>>> {
    return this.#session ? listDecisions(this.#session, request) : NOT_FOUND;
  }

  async addToken<Token extends ClientTokenRecord>(
    token: Token,
    idempotency?: Idempotency,
  ): Promise<Once<Token>> {
    return this.#session ? addTokenOnce(this.#session, token, idempotency) : NOT_FOUND;
  }

  async admitsToken(tokenId: string): Promise<boolean> {
    return (this.#session?.tables.tokens.findExpiry(tokenId, Date.now()) ?? null) !== null;
  }

  async revokeToken(tokenId: string): Promise<Result<null>> {
    return this.#session ? revokeToken(this.#session, tokenId) : NOT_FOUND;
  }

  async observe(messages: ReplyStart["input"], idempotency?: Idempotency): Promise<Once<Observed>> {
    return this.#session ? observeOnce(this.#session, messages, idempotency) : NOT_FOUND;
  }

  async readForkSource(at?: string | number): Promise<Result<ForkSource>> {
    return this.#session ? readForkSource(this.#session, at) : NOT_FOUND;
  }

  async readForkMessages(after: number, upTo: number): Promise<Result<CopiedMessages>> {
    return this.#session ? readForkMessages(this.#session, after, upTo) : NOT_FOUND;
  }

  async importState(state: AgentStateInput, actor: Actor): Promise<Result<null>> {
    return this.#session ? importState(this.#session, state, actor) : NOT_FOUND;
  }

  async readSharedState(): Promise<Result<SharedState>> {
    return this.#session ? readSharedState(this.#session) : NOT_FOUND;
  }

  async patchSharedState(patch: StatePatch): Promise<Result<SharedState>> {
    return this.#session ? patchSharedState(this.#session, patch) : NOT_FOUND;
  }

  /** Streams, and what may be large; everything else is RPC. */
  override async fetch({ url }: Request): Promise<Response> {
    if (!this.#session) return refusalResponse(NOT_FOUND.refusal);
    const read = parseReadUrl(url);
    return read ? readResponse(this.#session, read) : streamResponse(this.#session, url);
  }

  /** Contract: throws only where nothing but erasing is left to do, which the platform then repeats. */
  override async alarm(): Promise<void> {
    const session = this.#session;
    if (session) {
      const handlers = sessionTimers(session, {
        inBackground: (work) => this.ctx.waitUntil(work),
        settleListing: () => this.#settleListing(session),
      });
      await runDueTimers(session.tables.timers, handlers, () => session.log.isClosed);
    } else if (hasSchema(this.ctx.storage.sql)) {
      // A copy that goes on needs another look later; one that does not is erased.
      await this.ctx.storage.setAlarm(Date.now() + COPY_ABANDONED_MS);
      if (!this.#isCopying) await eraseCopy(this.ctx.storage);
    }
  }

  /** A session that no list shows was never anybody's: whoever made it has died before it could say so. */
  async #settleListing(session: OpenSession): Promise<void> {
    const isListed = await checkListing(this.env, session.init);
    if (session.log.isClosed || isListed === null) return;
    if (isListed) endListing(session.tables.timers);
    else if (session === this.#session) await this.remove();
  }
}
