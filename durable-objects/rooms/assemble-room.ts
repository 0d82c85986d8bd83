// Builds an open room over its tables.
import { advanceRoom } from "../../agent/rooms/advance-room.ts";
import { nextStepMs, nextSteps, roomStatus } from "../../agent/rooms/next-steps.ts";
import { reportRoomSize } from "../../storage/rooms/room-registry.ts";
import type { RoomInit } from "../api/room-api.ts";
import { MonotonicIds } from "../log/monotonic-ids.ts";
import { SessionLog } from "../log/session-log.ts";
import { openTenant } from "../sessions/open-tenant.ts";
import { socketCuts } from "../sockets/close-sockets.ts";
import { Subscribers } from "../streams/subscribers.ts";
import type { SocketLease } from "../tenants/socket-lease.ts";
import { recordSpeech } from "../tables/record-speech.ts";
import { redactMessages } from "../tables/redact-messages.ts";
import { MessageTable } from "../tables/message-table.ts";
import { TokenTable } from "../tables/token-table.ts";
import { ROOM_HELD_MS, ROOM_LOOK_MS, ROOM_REPORT_BYTES, ROOM_WATCH_MS } from "./limits.ts";
import { notifyRoom } from "./notify-room.ts";
import type { OpenRoom, RoomFloor } from "./open-room.ts";
import { RoomCopies } from "./room-copies.ts";
import { RoomEngine } from "./room-engine.ts";
import { RoomReplies } from "./room-replies.ts";
import type { RoomTable } from "./room-table.ts";
import { SpeechUsage } from "./speech-usage.ts";
import { TriggeredMessages } from "./triggered-messages.ts";
import { waitsForFloor } from "./waits-for-floor.ts";
import { withinQuotas } from "./within-quotas.ts";

export interface AssembledRoom extends OpenRoom {
  readonly engine: RoomEngine;
  /** The lease of the room's sockets at the tenant's object. */
  readonly socketLease: SocketLease;
}

/** Starts nothing and writes nothing. */
export function assembleRoom(
  ctx: DurableObjectState,
  env: Env,
  {
    table,
    init,
    socketsDueMs = () => null,
    floor = () => null,
  }: {
    readonly table: RoomTable;
    readonly init: RoomInit;
    /** When the next credential of a socket expires; null for none. */
    readonly socketsDueMs?: () => number | null;
    readonly floor?: () => RoomFloor | null;
  },
): AssembledRoom {
  const { storage } = ctx;
  const { sql } = storage;
  let state = table.readState();
  let stored = state;
  let armedMs: number | null = null;
  let toldBytes = 0;
  const replies = new RoomReplies();
  const triggered = new TriggeredMessages(sql);
  const speechUsage = new SpeechUsage({ sql, database: env.DB, owner: init });
  const { tenant_id, room_id: session_id } = init;
  const holder = { tenant_id, session_id, end_user_id: null };
  // Streams are closed with the keys that have opened them, and with the tenant.
  const tenant = openTenant(env, holder, {
    stop: () => notifyRoom(room, { stopped: "suspended" }),
    notify: (notification) => notifyRoom(room, notification),
    isFollowed: () => subscribers.isFollowed,
    inBackground: (work) => ctx.waitUntil(work),
  });
  const subscribers = new Subscribers(
    () => log.wake(),
    () => tenant.noteReader(),
    socketCuts(ctx),
  );
  const log = new SessionLog(storage, {
    logged: (event) => {
      state = advanceRoom(state, event);
      replies.logged(event);
      floor()?.logged(event);
    },
    committing: (events) => {
      recordSpeech(sql, room.messages, events, null);
      // Once for all appends of a commit.
      if (state !== stored) table.writeState(state);
      stored = state;
      triggered.follow(events);
      arm();
    },
    committed: () => undefined,
    durable: () => undefined,
    failed: (error) => ctx.abort(`the room's log could not be written: ${String(error)}`),
  });
  const ids = new MonotonicIds(...newestIds(table));
  const room: AssembledRoom = {
    env,
    get init() {
      return table.init ?? init;
    },
    table,
    messages: new MessageTable(sql),
    tokens: new TokenTable(sql),
    triggered,
    speechUsage,
    log,
    subscribers,
    replies,
    get state() {
      return state;
    },
    newId: (prefix) => ids.next(prefix),
    sync: () => storage.sync(),
    transaction: (write) => storage.transactionSync(write),
    inBackground: (work) => ctx.waitUntil(work),
    admitBytes: (bytes, share) =>
      tenant.admitBytes(sql.databaseSize, bytes, { report: room.reportSize, share }),
    withinQuotas: (write) => withinQuotas(tenant, ids.next("sum"), write),
    reportSize,
    redact: (messages) => {
      storage.transactionSync(() => redactMessages(sql, room.messages, messages));
      log.forgetRecent();
    },
    held: new Set(),
    get floor() {
      return floor();
    },
    copy: async (name) => void (await copies.copy(name)),
    kick: () => engine.kick(),
    note: (name) => copies.follow(name),
    get engine() {
      return engine;
    },
    arm,
    socketLease: tenant.sockets,
  };
  const copies = new RoomCopies(room);
  const engine = new RoomEngine(room, copies);
  restoreReplies(room);
  return room;

  async function reportSize(): Promise<void> {
    const bytes = sql.databaseSize;
    if (log.isClosed || Math.abs(bytes - toldBytes) < ROOM_REPORT_BYTES) return;
    try {
      await reportRoomSize(env.DB, { id: session_id, tenant_id, bytes });
      toldBytes = bytes;
    } catch (error) {
      console.warn("D1 was not told how large a room is", { error: String(error) });
    }
  }

  /** An alarm that is earlier than it has to be stays: it costs a look, and another one a write. */
  function arm(): void {
    const nowMs = Date.now();
    const wantedMs = alarmMs(nowMs);
    if (wantedMs === null) return;
    if (armedMs !== null && armedMs > nowMs && armedMs <= wantedMs) return;
    armedMs = wantedMs;
    // A failed write of the alarm fails the commit, which the log reports.
    storage.setAlarm(wantedMs).catch(() => undefined);
  }

  function alarmMs(nowMs: number): number | null {
    // Usage that D1 has not taken is told again by this look, where no turn comes before.
    const tellMs = speechUsage.isOpen ? nowMs + ROOM_LOOK_MS : null;
    const times = [workMs(nowMs), socketsDueMs(), tellMs].filter((time) => time !== null);
    return times.length === 0 ? null : Math.min(...times);
  }

  function workMs(nowMs: number): number | null {
    const due = nextSteps(state, nowMs);
    const isDue = due.length > 0;
    const isOpen = state.discussion !== null || state.replies.length > 0;
    if (!isDue && !isOpen) return null;
    const isWaiting = !isDue && roomStatus(state) === "waiting";
    const isHeld = isDue && state.replies.length === 0 && due.every(waitsForFloor);
    const watchMs = isHeld && floor()?.isTaken ? ROOM_HELD_MS : ROOM_WATCH_MS;
    const lookMs = nowMs + (isWaiting ? ROOM_LOOK_MS : watchMs);
    return Math.min(lookMs, Math.max(nowMs, nextStepMs(state) ?? Infinity));
  }
}

/** The messages of open replies, folded again from where they begin. */
function restoreReplies({ table, log, replies }: OpenRoom): void {
  const starts = table.members().flatMap(({ reply_seq }) => reply_seq ?? []);
  if (starts.length === 0) return;
  for (const { item } of log.events(Math.min(...starts) - 1, log.lastSeq)) {
    replies.logged(item);
    if (item.type === "REPLY_END") replies.take(item.reply_id);
  }
}

function newestIds(table: RoomTable): readonly (string | null)[] {
  return table.members().map(({ session_id }) => session_id);
}
