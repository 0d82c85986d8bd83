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
import type { InterruptResult, Reply } from "../protocol/api/replies.ts";
import type { Observed } from "../protocol/api/observe.ts";
import type { AgentState, AgentStateInput } from "../protocol/api/session-state.ts";
import type { Session } from "../protocol/api/sessions.ts";
import { accept, refuse, type Result } from "../protocol/errors.ts";
import type { Msg } from "../protocol/messages.ts";
import type { PermissionRule } from "../protocol/permission.ts";
import type { TraceContext } from "../protocol/trace-context.ts";
import { copyConversation, eraseCopy } from "./conversation-copy.ts";
import { readForkMessages, readForkSource } from "./fork-source.ts";
import { observeMessages } from "./observe.ts";
import { OpenSession } from "./open-session.ts";
import { expireDueCalls, postEvent } from "./post-event.ts";
import { refusePermissionChange } from "./refuse-busy.ts";
import { viewSession } from "./reply-view.ts";
import { hasSchema, migrate } from "./schema.ts";
import type {
  Actor,
  CopiedMessages,
  EventReceipt,
  EventsPage,
  EventsRequest,
  ForkSource,
  MessagesPage,
  PageRequest,
  ReplyStart,
  SessionApi,
  SessionFork,
  SessionInit,
  SessionPatch,
} from "./session-api.ts";
import {
  addRules,
  listDecisions,
  listRules,
  refuseTooMany,
  testCall,
} from "./session-permissions.ts";
import { listEvents, listMessages, listReplies, openStream, readMessage } from "./session-pages.ts";
import { importState, readState } from "./session-state.ts";
import { readSessionInit, writeSessionInit } from "./session-tables.ts";
import { parseStreamRequest, refusalResponse } from "./stream-request.ts";

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
    }
    return this.read();
  }

  async read(): Promise<Result<Session>> {
    if (!this.#session) return NOT_FOUND;
    const { init, active, log, tables } = this.#session;
    return accept(viewSession(init, active, log.visibleSeq, tables.calls));
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
    const { active, tables } = this.#session;
    const refused = refusePermissionChange(active, patch, tables.calls);
    if (refused) return refused;
    this.#session.settings.update(patch);
    await this.ctx.storage.sync();
    return this.read();
  }

  async remove(): Promise<Result<null>> {
    if (!this.#session) return NOT_FOUND;
    this.#session.close();
    this.#session = null;
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    return accept(null);
  }

  async startReply(start: ReplyStart): Promise<Result<Reply>> {
    return this.#session?.startReply(start) ?? NOT_FOUND;
  }

  async readReply(replyId: string, waitMs: number): Promise<Result<Reply>> {
    return this.#session?.readReply(replyId, waitMs) ?? NOT_FOUND;
  }

  async listReplies(request: PageRequest): Promise<Result<Page<Reply>>> {
    return this.#session ? listReplies(this.#session, request) : NOT_FOUND;
  }

  async interrupt(): Promise<Result<InterruptResult>> {
    if (!this.#session) return NOT_FOUND;
    const { interrupted, reply } = await this.#session.interrupt();
    return accept({ interrupted, reply });
  }

  async postEvent(
    event: WrittenEvent,
    actor: Actor,
    trace?: TraceContext,
  ): Promise<Result<EventReceipt>> {
    return this.#session ? postEvent(this.#session, event, actor, trace) : NOT_FOUND;
  }

  async listRules(): Promise<Result<readonly SessionRule[]>> {
    return this.#session ? accept(listRules(this.#session)) : NOT_FOUND;
  }

  async addRules(
    rules: readonly PermissionRule[],
    actor: Actor,
  ): Promise<Result<readonly SessionRule[]>> {
    if (!this.#session) return NOT_FOUND;
    const session = this.#session;
    const tooMany = refuseTooMany(session, rules);
    return tooMany ?? accept(addRules(session, rules, actor));
  }

  async removeRule(ruleId: string): Promise<Result<null>> {
    const isRemoved = this.#session?.tables.rules.remove(ruleId);
    return isRemoved ? accept(null) : refuse("not_found", `this session has no rule ${ruleId}`);
  }

  async testCall(call: RuleTest): Promise<Result<RuleTestResult>> {
    return this.#session ? testCall(this.#session, call) : NOT_FOUND;
  }

  async listDecisions(request: PageRequest): Promise<Result<Page<Decision>>> {
    return this.#session ? listDecisions(this.#session, request) : NOT_FOUND;
  }

  async addToken(token: ClientTokenRecord): Promise<Result<null>> {
    if (!this.#session) return NOT_FOUND;
    this.#session.tables.tokens.add(token, Date.now());
    return accept(null);
  }

  async admitsToken(tokenId: string): Promise<boolean> {
    return (this.#session?.tables.tokens.findExpiry(tokenId, Date.now()) ?? null) !== null;
  }

  async revokeToken(tokenId: string): Promise<Result<null>> {
    const isThere = this.#session?.tables.tokens.revoke(tokenId, Date.now());
    if (!isThere) return refuse("not_found", `this session has no client token ${tokenId}`);
    this.#session?.subscribers.cut(tokenId);
    return accept(null);
  }

  async listMessages(request: PageRequest): Promise<Result<MessagesPage>> {
    return this.#session ? listMessages(this.#session, request) : NOT_FOUND;
  }

  async readMessage(messageId: string): Promise<Result<{ message: Msg; cursor: number }>> {
    return this.#session ? readMessage(this.#session, messageId) : NOT_FOUND;
  }

  async listEvents(request: EventsRequest): Promise<Result<EventsPage>> {
    return this.#session ? listEvents(this.#session, request) : NOT_FOUND;
  }

  async observe(messages: ReplyStart["input"]): Promise<Result<Observed>> {
    return this.#session ? observeMessages(this.#session, messages) : NOT_FOUND;
  }

  async readForkSource(at?: string | number): Promise<Result<ForkSource>> {
    return this.#session ? readForkSource(this.#session, at) : NOT_FOUND;
  }

  async readForkMessages(after: number, upTo: number): Promise<Result<CopiedMessages>> {
    return this.#session ? readForkMessages(this.#session, after, upTo) : NOT_FOUND;
  }

  async readState(): Promise<Result<AgentState>> {
    return this.#session ? readState(this.#session) : NOT_FOUND;
  }

  async importState(state: AgentStateInput, actor: Actor): Promise<Result<AgentState>> {
    return this.#session ? importState(this.#session, state, actor) : NOT_FOUND;
  }

  /** Streams only; everything else is RPC. */
  override async fetch(request: Request): Promise<Response> {
    if (!this.#session) return refusalResponse(NOT_FOUND.refusal);
    const stream = openStream(this.#session, parseStreamRequest(request.url));
    if (!stream.ok) return refusalResponse(stream.refusal);
    if (!stream.value) return new Response(null, { status: 204 });
    return new Response(stream.value, {
      headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
    });
  }

  /** Each timer is set anew or cleared before anything is done for it, so a repeated alarm does no harm. */
  override async alarm(): Promise<void> {
    if (!this.#session && hasSchema(this.ctx.storage.sql) && !this.#isCopying) {
      return eraseCopy(this.ctx.storage);
    }
    this.#session?.tables.timers.rearm();
    for (const timer of this.#session?.tables.timers.due(Date.now()) ?? []) {
      switch (timer.kind) {
        case "watch":
          await this.#session?.watch();
          break;
        case "expiry":
          if (this.#session) expireDueCalls(this.#session);
          break;
        default:
          timer.kind satisfies never;
      }
    }
  }
}
