// The Durable Object of one session: creation and deletion, one RPC method for all acts, streams, and the alarm.
// Methods return a `Result`; the only state here is the open session.
import { DurableObject } from "cloudflare:workers";

import type { Session } from "../protocol/sessions/contract.ts";
import { accept, refuse, type Result } from "../protocol/errors.ts";
import type { ActArguments, ActName, ActsApi, ActValue } from "./acts/acts-api.ts";
import { answersUnreadable, performAct } from "./acts/perform-act.ts";
import { parseReadUrl } from "./api/read-request.ts";
import { REPLAY_URL, type ReplayRequest } from "./api/replay-request.ts";
import type {
  CopiedMessages,
  Once,
  SessionApi,
  SessionFork,
  SessionInit,
} from "./api/session-api.ts";
import { START_URL } from "./api/start-request.ts";
import { refusalResponse } from "./api/stream-request.ts";
import type { TenantNotification } from "./api/tenant-api.ts";
import { parseVoiceUrl } from "./api/voice-request.ts";
import { copyConversation } from "./sessions/conversation-copy.ts";
import { readForkMessages } from "./sessions/fork-source.ts";
import { unreportedUsage } from "./sessions/unreported-usage.ts";
import { deliverLastUsage } from "./lifecycle/deliver-last-usage.ts";
import { serveAlarm } from "./lifecycle/serve-alarm.ts";
import { NOT_FOUND, SessionKeeper } from "./lifecycle/session-keeper.ts";
import { streamResponse } from "./open-stream.ts";
import { readResponse } from "./read-response.ts";
import { openReplay } from "./replay/open-replay.ts";
import { viewSession } from "./replies/reply-view.ts";
import { assembleSession } from "./sessions/assemble-session.ts";
import { cutKeys } from "./sessions/cut-keys.ts";
import { isUsed } from "./sessions/is-used.ts";
import type { OpenSession } from "./sessions/open-session.ts";
import {
  endListingSoon,
  expectListing,
  isListingOpen,
  settleListing,
} from "./sessions/session-listing.ts";
import { stopSession } from "./sessions/stop-session.ts";
import { SessionSockets } from "./session-sockets.ts";
import { readStart, refusedStart, startStream } from "./start-stream.ts";
import { makeTablesWhenNeeded } from "./tables/later/later-tables.ts";
import { hasSchema, migrate, SCHEMA_VERSION } from "./tables/schema.ts";
import { writeSessionInit } from "./tables/session-tables.ts";

export class SessionObject extends DurableObject<Env> implements SessionApi, ActsApi {
  readonly #keeper: SessionKeeper;
  readonly #sockets: SessionSockets;
  /** The copy that is under way into this object, and the session that it is of. */
  #copy: { readonly source: string; readonly done: Promise<Result<null>> } | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    makeTablesWhenNeeded(ctx.storage.sql, SCHEMA_VERSION);
    this.#sockets = new SessionSockets(ctx, env);
    this.#keeper = new SessionKeeper(ctx, env, (session) => this.#sockets.resume(session));
  }

  async create(init: SessionInit): Promise<Result<Session>> {
    await this.#keeper.open();
    const held = this.#keeper.session;
    if (this.#keeper.isUnreadable || (held && held.init.session_id !== init.session_id)) {
      return refuse("conflict", "this object holds another session");
    }
    if (!held) {
      migrate(this.ctx.storage);
      writeSessionInit(this.ctx.storage.sql, init, Date.now());
      const session = assembleSession(this.ctx, this.env, init);
      this.#keeper.hold(session);
      expectListing(session.tables.timers);
    } else if (isListingOpen(held.tables.timers)) {
      // An earlier request created the session and failed before it listed it; this one is about to list it.
      expectListing(held.tables.timers);
    }
    return this.#view();
  }

  async createFork(fork: SessionFork): Promise<Result<Session>> {
    await this.#keeper.open();
    const taken = refuse("conflict", "this object holds a session or is becoming one");
    if (this.#keeper.isUnreadable) return taken;
    const source = fork.init.forked_from.session_id;
    const held = this.#keeper.session;
    if (held && held.init.forked_from?.session_id === source) {
      // An earlier request may have failed before it listed it; this one is about to.
      if (isListingOpen(held.tables.timers)) expectListing(held.tables.timers);
      return this.#view();
    }
    if (held || (this.#copy && this.#copy.source !== source)) return taken;
    this.#copy ??= { source, done: this.#copyFrom(fork) };
    const copied = await this.#copy.done;
    return copied.ok ? this.#view() : copied;
  }

  async #copyFrom(fork: SessionFork): Promise<Result<null>> {
    try {
      const copied = await copyConversation(this.ctx, this.env, fork);
      if (copied.ok) this.#keeper.hold(assembleSession(this.ctx, this.env, fork.init));
      return copied;
    } finally {
      this.#copy = null;
    }
  }

  async listed(hasEndpoints = true): Promise<Result<null>> {
    return this.#keeper.act(async (session) => {
      const { timers } = session.tables;
      if (!isListingOpen(timers)) return accept(null);
      if (hasEndpoints) {
        await this.#settleListing(session);
      } else {
        session.isListed = true;
        this.ctx.waitUntil(endListingSoon(session));
      }
      // A copy has something to tell, and D1 takes it of what it lists.
      if (session.init.forked_from) this.ctx.waitUntil(session.outbox.flush());
      return accept(null);
    });
  }

  /** One deleteAll, the alarm included: a crash in here leaves the whole session or nothing of it. */
  async remove(createdAt?: string, isUnusedOnly = false): Promise<Result<null>> {
    if (isUnusedOnly) await this.#keeper.open();
    if (this.#copy || !hasSchema(this.ctx.storage.sql)) return NOT_FOUND;
    // Null too when an earlier deleteAll has failed: it is retried here.
    const session = this.#keeper.peek();
    if (session && createdAt && session.init.created_at !== createdAt) return NOT_FOUND;
    if (session && isUnusedOnly && isUsed(session)) {
      return refuse("conflict", "the session is in use");
    }
    const usage = session ? unreportedUsage(session) : [];
    const hadSockets = this.#sockets.areOpen;
    this.#keeper.release();
    await this.ctx.storage.deleteAll();
    await Promise.all([
      deliverLastUsage(this.env.DB, usage),
      session?.tenant.leave(usage),
      this.#sockets.closeAll(session, hadSockets),
    ]);
    return accept(null);
  }

  async act<Name extends ActName>(
    name: Name,
    ...[payload, options]: ActArguments<Name>
  ): Promise<Once<ActValue<Name>>> {
    const perform = (session: OpenSession) => performAct(session, name, payload, options);
    return answersUnreadable(name) ? this.#keeper.read(perform) : this.#keeper.act(perform);
  }

  async readForkMessages(after: number, upTo: number): Promise<Result<CopiedMessages>> {
    return this.#keeper.act((session) => readForkMessages(session, after, upTo));
  }

  async admitsToken(tokenId: string): Promise<boolean> {
    const session = await this.#keeper.open();
    return (session?.tables.tokens.findExpiry(tokenId, Date.now()) ?? null) !== null;
  }

  /**
   * Called by the tenant's object. Resolves when streams are being closed and replies interrupted, not when all are.
   */
  async notify(notification: TenantNotification): Promise<void> {
    const { cut_keys, with_tokens, stopped, has_sockets } = notification;
    const session = await this.#keeper.open();
    if (session && cut_keys) cutKeys(session, cut_keys, with_tokens === true);
    if (session && stopped) stopSession(session, (work) => this.ctx.waitUntil(work));
    if (session && has_sockets) this.ctx.waitUntil(this.#sockets.settle(session));
  }

  /** Streams, and answers of any size; everything else is RPC. */
  override async fetch(request: Request): Promise<Response> {
    const { url } = request;
    if (url === REPLAY_URL) {
      const replay = await request.json<ReplayRequest>();
      const inBackground = (work: Promise<unknown>) => this.ctx.waitUntil(work);
      const begun = await this.#keeper.act(async (session) =>
        accept(await openReplay(session, replay, { env: this.env, inBackground })),
      );
      return begun.ok ? begun.value : refusalResponse(begun.refusal);
    }
    if (url === START_URL) {
      const start = await readStart(request);
      const begun = await this.#keeper.act(async (session) =>
        accept(await startStream(session, start)),
      );
      return begun.ok ? begun.value : refusedStart(begun);
    }
    if (request.headers.has("Upgrade")) {
      const voice = parseVoiceUrl(url);
      const begun = voice
        ? await this.#keeper.act(async (session) =>
            accept(await this.#sockets.openVoice(session, voice)),
          )
        : await this.#keeper.read(async (session) =>
            accept(await this.#sockets.openReader(session, url)),
          );
      return begun.ok ? begun.value : refusalResponse(begun.refusal);
    }
    const read = parseReadUrl(url);
    const opened = await this.#keeper.read(async (session) =>
      accept(await (read ? readResponse(session, read) : streamResponse(session, url))),
    );
    return opened.ok ? opened.value : refusalResponse(opened.refusal);
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    this.#sockets.heard(socket, message, await this.#keeper.open());
  }

  override async webSocketClose(socket: WebSocket): Promise<void> {
    await this.#sockets.left(socket, await this.#keeper.open());
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    await this.#sockets.left(socket, await this.#keeper.open());
  }

  override alarm(): Promise<void> {
    return serveAlarm(this.ctx, {
      env: this.env,
      keeper: this.#keeper,
      isCopying: () => this.#copy !== null,
      settleListing: (session) => this.#settleListing(session),
      settleSockets: (session) => this.#sockets.settle(session),
    });
  }

  #view(): Promise<Result<Session>> {
    return this.#keeper.act((session) => accept(viewSession(session.init, session)));
  }

  #settleListing(session: OpenSession): Promise<void> {
    return settleListing(session, this.env, () => this.remove());
  }
}
