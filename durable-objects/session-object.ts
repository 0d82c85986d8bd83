// The shell around one session: RPC in, unions out. It holds nothing but the session itself.
import { DurableObject } from "cloudflare:workers";

import type { Page } from "../protocol/api/common.ts";
import type { InterruptResult, Reply } from "../protocol/api/replies.ts";
import type { Session } from "../protocol/api/sessions.ts";
import { accept, refuse, type Result } from "../protocol/errors.ts";
import type { Msg } from "../protocol/messages.ts";
import { OpenSession } from "./open-session.ts";
import { viewSession } from "./reply-view.ts";
import { hasSchema, migrate } from "./schema.ts";
import type {
  EventsPage,
  EventsRequest,
  MessagesPage,
  PageRequest,
  ReplyStart,
  SessionApi,
  SessionInit,
  SessionPatch,
} from "./session-api.ts";
import { listEvents, listMessages, listReplies, openStream, readMessage } from "./session-pages.ts";
import { readSessionInit, writeSessionInit } from "./session-tables.ts";
import { parseStreamRequest, refusalResponse } from "./stream-request.ts";

const NOT_FOUND = refuse("not_found", "there is no such session");

export class SessionObject extends DurableObject<Env> implements SessionApi {
  #session: OpenSession | null = null;

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
    const { init, active, log } = this.#session;
    return accept(viewSession(init, active, log.visibleSeq));
  }

  async update(patch: SessionPatch): Promise<Result<Session>> {
    if (!this.#session) return NOT_FOUND;
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
    return this.#session ? accept(await this.#session.interrupt()) : NOT_FOUND;
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
    this.#session?.tables.timers.rearm();
    for (const timer of this.#session?.tables.timers.due(Date.now()) ?? []) {
      switch (timer.kind) {
        case "watch":
          await this.#session?.watch();
          break;
        default:
          timer.kind satisfies never;
      }
    }
  }
}
