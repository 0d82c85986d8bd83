import { deliverEntries } from "../../storage/outbox/deliver-entries.ts";
import { isReplyEntry, usedEntries } from "../../storage/outbox/deliver-outbox.ts";
import { listAbilities } from "../../tools/list-abilities.ts";
import type { SessionInit } from "../api/session-api.ts";
import { backgroundCalls } from "../background/background-calls.ts";
import { BackgroundTasks } from "../background/background-tasks.ts";
import { SessionCompression } from "../context/session-compression.ts";
import { MonotonicIds } from "../log/monotonic-ids.ts";
import { SessionLog } from "../log/session-log.ts";
import { Recorder } from "../recording/recorder.ts";
import { MessageStage } from "../log/stage-messages.ts";
import { CurrentReply } from "../replies/current-reply.ts";
import { remoteFailures } from "../replies/remote-failures.ts";
import { runningTaskState } from "../replies/running-task-state.ts";
import { noteEvents } from "../replies/note-pushes.ts";
import { Outbox } from "../replies/outbox.ts";
import { ReplyQueue } from "../replies/reply-queue.ts";
import { CallerNews, tellCaller } from "../replies/tell-caller.ts";
import { tellTrigger } from "../replies/tell-trigger.ts";
import { tellRoom } from "../replies/tell-room.ts";
import { ReplyRunner } from "../replies/reply-runner.ts";
import { SpokenReplies } from "../replies/spoken-replies.ts";
import { findQueuedMessage } from "../replies/find-queued-message.ts";
import { announcer } from "../settings/announcer.ts";
import { openMemoryStore } from "../settings/session-memory.ts";
import { SessionSettings } from "../settings/session-settings.ts";
import { socketCuts } from "../sockets/close-sockets.ts";
import { Subscribers } from "../streams/subscribers.ts";
import { listedDecisions } from "../tables/listed-decisions.ts";
import { recordSpeech } from "../tables/record-speech.ts";
import { openSessionTables } from "../tables/session-tables.ts";
import type { SessionTenant } from "../tenants/session-tenant.ts";
import { cutKeys } from "./cut-keys.ts";
import { ObserveHooks } from "./observe-hooks.ts";
import type { OpenSession } from "./open-session.ts";
import { openTenant } from "./open-tenant.ts";
import { ReplyFollowers } from "./reply-followers.ts";
import { stopSession } from "./stop-session.ts";

/**
 * Builds an open session over its stored tables. Starts nothing and writes nothing: a session that an earlier
 * incarnation of the object may have left in the middle of a reply needs `wakeSession` before it is used.
 */
export function assembleSession(ctx: DurableObjectState, env: Env, init: SessionInit): OpenSession {
  const { storage } = ctx;
  const inBackground = (work: Promise<unknown>) => ctx.waitUntil(work);
  const settings = new SessionSettings(storage.sql, env, init);
  const tables = openSessionTables(storage);
  const ids = new MonotonicIds(tables.replies.newest()?.id, tables.queue.newestId);
  const current = new CurrentReply();
  const tenant: SessionTenant = openTenant(env, init, {
    stop: () => stopSession(session, inBackground),
    notify: ({ cut_keys = [], with_tokens }) => cutKeys(session, cut_keys, with_tokens === true),
    isFollowed: () => subscribers.isFollowed,
    inBackground,
  });
  const endCall = (): void => {
    if (!log.isClosed) storage.transactionSync(() => settings.endCall());
  };
  const subscribers = new Subscribers(
    () => log.wake(),
    () => tenant.noteReader(),
    socketCuts(ctx),
  );
  const outbox = new Outbox(storage.sql, {
    settings,
    tables,
    announce: announcer(listAbilities()),
    deliver: async (entries) => {
      // A reply that is about to begin holds its lease already, which this settlement must not end; nor that of a summary.
      const isStarting = queue.isStarting && tenant.isAdmitted;
      const isHeldBeside = compression.holdsLease || recording.holdsLease;
      const isHeld = session.isActing || isStarting || isHeldBeside;
      const used = usedEntries(entries);
      const ended = entries.flatMap((entry) => (isReplyEntry(entry) ? [entry.reply_id] : []));
      const failures = remoteFailures({ settings, tables }, ended);
      const settled = used.length > 0 && tenant.settle(used, isHeld, failures);
      try {
        await Promise.all([deliverEntries(env, entries), settled]);
      } finally {
        // Behind the lease that a reply of this session has given back, which the caller's may need.
        if (init.parent) inBackground(tellCaller(env, settings.init, endCall));
        if (init.trigger) inBackground(tellTrigger(env, init));
        if (init.room) inBackground(tellRoom(env, settings.init, entries.at(-1)?.entry));
      }
    },
    decisions: (range) => listedDecisions({ tables, log }, range),
    durableSeq: () => log.durableSeq,
    sync: () => storage.sync(),
    taskState: (id) => {
      const { open } = current;
      return open?.id === id ? runningTaskState({ init, tables }, open) : null;
    },
  });
  const log = new SessionLog(storage, {
    logged: (event) => {
      current.logged(event);
      news?.logged(event);
      background.logged(event);
      session.spoken.logged(event);
    },
    committing: (events) => {
      tables.abilities.record(events);
      tables.changedMessages.record(events);
      const growing = current.isRunning ? (current.active?.id ?? null) : null;
      recordSpeech(storage.sql, tables.messages, events, growing);
      tables.background.record(events);
      outbox.addTasks(events, current.active);
      noteEvents(tables, current.active, events);
      outbox.addAnnouncements(events);
      outbox.addStored(events);
    },
    committed: (seq) => current.committed(seq),
    durable: (seq) => {
      news?.durable(seq);
      // A reply has ended or waits: D1 is updated, and the next reply of the queue may begin.
      const hasEnded = current.durableUpTo(seq);
      if (hasEnded || outbox.takeBesideUpTo(seq)) queue.settle();
      if (hasEnded) recording.beginDue();
    },
    failed: (error) => ctx.abort(`the session's log could not be written: ${String(error)}`),
  });
  const news =
    init.parent &&
    new CallerNews({
      env,
      called: () => settings.init,
      endCall,
      isClosed: () => log.isClosed,
      inBackground,
    });
  const session: OpenSession = {
    settings,
    tables,
    log,
    outbox,
    subscribers,
    tenant,
    followers: new ReplyFollowers(),
    spoken: new SpokenReplies(),
    isListed: false,
    newId: (prefix) => ids.next(prefix),
    sync: () => storage.sync(),
    transaction: (write) => storage.transactionSync(write),
    current,
    get queue() {
      return queue;
    },
    get runner() {
      return runner;
    },
    get compression() {
      return compression;
    },
    get recording() {
      return recording;
    },
    get observeHooks() {
      return observeHooks;
    },
    get background() {
      return background;
    },
    get backgroundCalls() {
      return calls;
    },
    get init() {
      return settings.init;
    },
    get active() {
      return current.active;
    },
    get openReply() {
      return current.open;
    },
    get isRunning() {
      return current.isRunning;
    },
    get isActing() {
      return current.isRunning || (!current.open && tables.queue.length > 0);
    },
    findMessage: (id) => {
      const { active } = current;
      if (active?.id === id) return { message: active.state.message, reply_id: id };
      return tables.messages.find(id) ?? findQueuedMessage(session, id);
    },
  };
  const deliver = () => queue.settle();
  const compression = new SessionCompression(session, { env, inBackground, deliver });
  const openStore = (of: SessionInit) => openMemoryStore(env, of);
  const recording = new Recorder(session, { env, inBackground, deliver, openStore });
  const observeHooks = new ObserveHooks(session, { env, inBackground });
  const background = new BackgroundTasks(session, { env, inBackground });
  const calls = backgroundCalls(session, { env, inBackground });
  const runner = new ReplyRunner(session, { env, inBackground });
  const stage = new MessageStage(log, storage.sql);
  const queue = new ReplyQueue(session, { runner, stage, inBackground });
  return session;
}
