// The shell around one session: RPC in, unions out. It holds nothing but the session itself.
import { DurableObject } from "cloudflare:workers";

import type { WrittenEvent } from "../agent/json/complete-answer.ts";
import type { ClientTokenRecord, LiveToken } from "../protocol/api/client-tokens.ts";
import type { Page } from "../protocol/api/schemas/common.ts";
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
import type { PermissionRule } from "../protocol/messages/permission.ts";
import type { TraceContext } from "../protocol/trace-context.ts";
import { cutKeys } from "./session/cut-keys.ts";
import { copyConversation } from "./conversation/conversation-copy.ts";
import { readForkMessages, readForkSource } from "./conversation/fork-source.ts";
import { deliverLastUsage } from "./lifecycle/deliver-last-usage.ts";
import { listTokens } from "./reading/list-tokens.ts";
import { assembleSession } from "./session/assemble-session.ts";
import type { OpenSession } from "./session/open-session.ts";
import { streamResponse } from "./open-stream.ts";
import type { PageRequest } from "./api/page-requests.ts";
import { readResponse } from "./read-response.ts";
import { viewSession } from "./reply/reply-view.ts";
import { revokeToken } from "./answers/revoke-token.ts";
import { hasSchema, migrate } from "./tables/schema.ts";
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
} from "./api/session-api.ts";
import {
  addRulesOnce,
  addTokenOnce,
  interruptOnce,
  observeOnce,
  postEventOnce,
  startReplyOnce,
} from "./session-acts.ts";
import { parseReadUrl } from "./api/read-request.ts";
import { untoldUsage } from "./conversation/untold-usage.ts";
import { updateSession } from "./conversation/update-session.ts";
import { listDecisions, listRules, removeRule, testCall } from "./answers/session-permissions.ts";
import { serveAlarm } from "./lifecycle/serve-alarm.ts";
import { expectListing, isListingOpen, settleListing } from "./session/session-listing.ts";
import { listReplies } from "./reading/session-pages.ts";
import { importState } from "./conversation/agent-state.ts";
import { NOT_FOUND, SessionKeeper } from "./lifecycle/session-keeper.ts";
import { writeConfirmedAt, writeSessionInit } from "./tables/session-tables.ts";
import type { TenantNews } from "./api/tenant-api.ts";
import { patchSharedState, readSharedState } from "./conversation/shared-state.ts";
import { startRun } from "./runs/start-run.ts";
import { stopSession } from "./session/stop-session.ts";
import { refusalResponse } from "./api/stream-request.ts";

export class SessionObject extends DurableObject<Env> implements SessionApi {
  readonly #keeper: SessionKeeper;
  #isCopying = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#keeper = new SessionKeeper(ctx, env);
  }

  async create(init: SessionInit): Promise<Result<Session>> {
    await this.#keeper.open();
    const held = this.#keeper.session;
    if (this.#keeper.isUnreadable || (held && held.init.session_id !== init.session_id)) {
      return refuse("conflict", "this object holds another session");
    }
    if (!held) {
      migrate(this.ctx.storage);
      writeSessionInit(this.ctx.storage.sql, init);
      writeConfirmedAt(this.ctx.storage.sql, Date.now());
      const session = assembleSession(this.ctx, this.env, init);
      this.#keeper.hold(session);
      expectListing(session.tables.timers);
    } else if (isListingOpen(held.tables.timers)) {
      // Made by a request that died: the one that asks now is about to list it.
      expectListing(held.tables.timers);
    }
    return this.read();
  }

  async read(): Promise<Result<Session>> {
    return this.#keeper.act((session) => accept(viewSession(session.init, session)));
  }

  async createFork(fork: SessionFork): Promise<Result<Session>> {
    await this.#keeper.open();
    if (this.#keeper.session || this.#keeper.isUnreadable || this.#isCopying) {
      return refuse("conflict", "this object holds a session or is becoming one");
    }
    this.#isCopying = true;
    try {
      const copied = await copyConversation(this.ctx, this.env, fork);
      if (!copied.ok) return copied;
    } finally {
      this.#isCopying = false;
    }
    this.#keeper.hold(assembleSession(this.ctx, this.env, fork.init));
    return this.read();
  }

  async update(patch: SessionPatch): Promise<Result<Session>> {
    return this.#keeper.act(async (session) => {
      const updated = updateSession(session, patch);
      if (!updated.ok) return updated;
      await this.ctx.storage.sync();
      return this.read();
    });
  }

  async listed(): Promise<Result<null>> {
    return this.#keeper.act(async (session) => {
      if (isListingOpen(session.tables.timers)) await this.#settleListing(session);
      return accept(null);
    });
  }

  /** One erasure is one step of the storage, its alarm included: a death in here leaves all of the session or nothing. */
  async remove(createdAt?: string): Promise<Result<null>> {
    if (this.#isCopying || !hasSchema(this.ctx.storage.sql)) return NOT_FOUND;
    // Null for what is left of an erasure that the storage refused, too; it is erased then.
    const session = this.#keeper.peek();
    if (session && createdAt && session.init.created_at !== createdAt) return NOT_FOUND;
    const usage = session ? untoldUsage(session) : [];
    this.#keeper.release();
    await this.ctx.storage.deleteAll();
    await Promise.all([deliverLastUsage(this.env.DB, usage), session?.tenant.leave(usage)]);
    return accept(null);
  }

  async startReply(start: ReplyStart, idempotency?: Idempotency): Promise<Once<Reply>> {
    return this.#keeper.act((session) => startReplyOnce(session, start, idempotency));
  }

  async readReply(replyId: string, waitMs: number): Promise<Result<Reply>> {
    return this.#keeper.read((session) => session.control.readReply(replyId, waitMs));
  }

  async listReplies(request: PageRequest): Promise<Result<Page<Reply>>> {
    return this.#keeper.read((session) => listReplies(session, request));
  }

  async interrupt(
    queued: InterruptQuery["queued"] = "keep",
    idempotency?: Idempotency,
  ): Promise<Once<InterruptResult>> {
    return this.#keeper.act((session) => interruptOnce(session, queued, idempotency));
  }

  async startRun(start: RunStart, actor: Actor): Promise<Result<StartedRun>> {
    return this.#keeper.act((session) => startRun(session, start, actor));
  }

  async postEvent(
    event: WrittenEvent,
    actor: Actor,
    trace?: TraceContext,
    idempotency?: Idempotency,
  ): Promise<Once<EventReceipt>> {
    return this.#keeper.act((session) =>
      postEventOnce(session, event, { actor, trace }, idempotency),
    );
  }

  async listRules(): Promise<Result<readonly SessionRule[]>> {
    return this.#keeper.act((session) => accept(listRules(session)));
  }

  async addRules(
    rules: readonly PermissionRule[],
    actor: Actor,
    idempotency?: Idempotency,
  ): Promise<Once<readonly SessionRule[]>> {
    return this.#keeper.act((session) => addRulesOnce(session, rules, actor, idempotency));
  }

  async removeRule(ruleId: string): Promise<Result<null>> {
    return this.#keeper.act((session) => removeRule(session, ruleId));
  }

  async testCall(call: RuleTest): Promise<Result<RuleTestResult>> {
    return this.#keeper.act((session) => testCall(session, call));
  }

  async listDecisions(request: PageRequest): Promise<Result<Page<Decision>>> {
    return this.#keeper.act((session) => listDecisions(session, request));
  }

  async addToken<Token extends ClientTokenRecord>(
    token: Token,
    idempotency?: Idempotency,
  ): Promise<Once<Token>> {
    return this.#keeper.act((session) => addTokenOnce(session, token, idempotency));
  }

  async admitsToken(tokenId: string): Promise<boolean> {
    const session = await this.#keeper.open();
    return (session?.tables.tokens.findExpiry(tokenId, Date.now()) ?? null) !== null;
  }

  async revokeToken(tokenId: string): Promise<Result<null>> {
    return this.#keeper.act((session) => revokeToken(session, tokenId));
  }

  async listTokens(request: PageRequest): Promise<Result<Page<LiveToken>>> {
    return this.#keeper.act((session) => listTokens(session, request));
  }

  /** Of the tenant's object. Resolves when what it asks for is on its way. */
  async hear(news: TenantNews): Promise<void> {
    const session = await this.#keeper.open();
    if (session && news.cut_keys) cutKeys(session, news.cut_keys, news.with_tokens === true);
    if (session && news.stopped) stopSession(session, (work) => this.ctx.waitUntil(work));
  }

  async observe(messages: ReplyStart["input"], idempotency?: Idempotency): Promise<Once<Observed>> {
    return this.#keeper.act((session) => observeOnce(session, messages, idempotency));
  }

  async readForkSource(at?: string | number): Promise<Result<ForkSource>> {
    return this.#keeper.act((session) => readForkSource(session, at));
  }

  async readForkMessages(after: number, upTo: number): Promise<Result<CopiedMessages>> {
    return this.#keeper.act((session) => readForkMessages(session, after, upTo));
  }

  async importState(state: AgentStateInput, actor: Actor): Promise<Result<boolean>> {
    return this.#keeper.act((session) => importState(session, state, actor));
  }

  async readSharedState(): Promise<Result<SharedState>> {
    return this.#keeper.act((session) => readSharedState(session));
  }

  async patchSharedState(patch: StatePatch): Promise<Result<SharedState>> {
    return this.#keeper.act((session) => patchSharedState(session, patch));
  }

  /** Streams, and what may be large; everything else is RPC. */
  override async fetch({ url }: Request): Promise<Response> {
    const read = parseReadUrl(url);
    const opened = await this.#keeper.read(async (session) =>
      accept(read ? await readResponse(session, read) : streamResponse(session, url)),
    );
    return opened.ok ? opened.value : refusalResponse(opened.refusal);
  }

  override alarm(): Promise<void> {
    return serveAlarm(this.ctx, {
      keeper: this.#keeper,
      isCopying: () => this.#isCopying,
      settleListing: (session) => this.#settleListing(session),
    });
  }

  #settleListing(session: OpenSession): Promise<void> {
    return settleListing(session, this.env, () => this.remove());
  }
}
