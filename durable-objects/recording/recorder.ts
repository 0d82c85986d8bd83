// Recordings of a session's replies: what is remembered of them is chosen by a model after the reply has ended, while nobody
// waits. Work of the object that its timer begins, and begins again after a crash, one reply after the other.
//
// The order of the writes: the model's choice is on disk before the store gets it, the store knows a reply that it has had,
// and one commit has the event, the usage, and that nothing is due any more. So no crash loses or doubles a memory.
import { modelError } from "../../agent/state/model-error.ts";
import type { MemoryFailure, MemoryOutcome, MemoryStore } from "../../agent/memory-store.ts";
import { writtenMemory } from "../../agent/memory/memory-tools.ts";
import {
  MEMORIES_RECORDED,
  MEMORY_RECORD_FAILED,
  type MemoriesRecordedValue,
  type MemoryRecordFailedValue,
} from "../../protocol/memory/events.ts";
import {
  MAX_RECORDING_TRIES,
  RECORDING_CHECK_MS,
  RECORDING_MS,
  RECORDING_SUSPENDED_MS,
} from "../../protocol/memory/limits.ts";
import type { ErrorInfo } from "../../protocol/messages/messages.ts";
import { WATCHDOG_INTERVAL_MS } from "../../protocol/replies/limits.ts";
import type { CompressionPlatform, CompressionSession } from "../context/compression-session.ts";
import type { SessionInit } from "../api/session-api.ts";
import { mayWriteMemory } from "../settings/reply-memory.ts";
import type { RecordingAnswer, WaitingRecording } from "../tables/recording-table.ts";
import { RECORDING, WATCHDOG } from "../tables/timers.ts";
import { chooseOfReply, type Chosen } from "./choose-of-reply.ts";
import { recordsReplies } from "./expect-recording.ts";
import { isRecordingAllowed } from "./is-recording-allowed.ts";

/** The rest of the work on a recording. */
type Outcome =
  /** Over without an event: nothing was said, or nothing may be recorded any more. */
  | { readonly type: "dropped" }
  /** Looked at again in so many milliseconds. */
  | { readonly type: "later"; readonly waitMs: number; readonly isTry?: boolean }
  | { readonly type: "failed"; readonly error: ErrorInfo; readonly used?: Used }
  | {
      readonly type: "recorded";
      readonly store_id: string;
      readonly outcomes: readonly MemoryOutcome[];
      readonly answer: RecordingAnswer;
      readonly isUntrusted: boolean;
    };

type Used = Pick<RecordingAnswer, "model" | "usage" | "cost_usd">;

export interface RecordingPlatform extends CompressionPlatform {
  /** Null when the session has none. */
  readonly openStore: (init: SessionInit) => MemoryStore | null;
}

export class Recorder {
  readonly #session: CompressionSession;
  readonly #platform: RecordingPlatform;
  #stop = new AbortController();
  #isRunning = false;
  #holdsLease = false;

  constructor(session: CompressionSession, platform: RecordingPlatform) {
    this.#session = session;
    this.#platform = platform;
  }

  /** As `SessionCompression.holdsLease`. */
  get holdsLease(): boolean {
    return this.#holdsLease;
  }

  /** The tenant is stopped, or the session is being erased. What is due stays due. */
  stop(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
  }

  /** A reply has ended: what is due is begun at once, since an alarm may be late. */
  beginDue(): void {
    const { init, log, tables } = this.#session;
    if (this.#isRunning || log.isClosed || !recordsReplies(init)) return;
    if (tables.timers.isDue(RECORDING, Date.now())) this.onTimer(false);
  }

  /** The timer's handler. @param isSpent The attempts are used up, each of which has crashed the object. */
  onTimer(isSpent: boolean): void {
    const { timers, recordings } = this.#session.tables;
    if (this.#isRunning) return timers.putOff(RECORDING, Date.now() + RECORDING_CHECK_MS);
    const waiting = recordings.first();
    if (!waiting) return timers.clear(RECORDING);
    if (isSpent) {
      const used = waiting.answer ?? undefined;
      this.#end(waiting, { type: "failed", error: modelError("internal"), used });
      return;
    }
    this.#begin();
    this.#isRunning = true;
    this.#platform.inBackground(
      this.#run(waiting).finally(() => {
        this.#isRunning = false;
      }),
    );
  }

  /** One reply after the other, until none is left or one has to wait. Contract: never rejects. */
  async #run(first: WaitingRecording): Promise<void> {
    const { log, init, tables } = this.#session;
    let waiting: WaitingRecording | null = first;
    try {
      while (waiting) {
        if (waiting !== first) this.#begin();
        const { signal: stop } = this.#stop;
        // The attempt is on disk before it is made.
        await this.#session.sync();
        const outcome = await this.#record(waiting, stop);
        if (log.isClosed || log.hasFailed) return;
        this.#end(waiting, outcome);
        await log.settled();
        this.#platform.deliver();
        if (outcome.type === "later" || log.isClosed) return;
        waiting = tables.recordings.first();
      }
    } catch (error) {
      // The timer is set still: it is done again.
      console.error("a recording has failed", {
        session_id: init.session_id,
        error: String(error),
      });
    }
  }

  /** Counts the attempt, and has the timer look again should this machine be lost. */
  #begin(): void {
    const { timers } = this.#session.tables;
    timers.begin(RECORDING.kind, Date.now());
    timers.putOff(RECORDING, Date.now() + RECORDING_CHECK_MS);
  }

  async #record(waiting: WaitingRecording, stop: AbortSignal): Promise<Outcome> {
    const { init } = this.#session;
    const { reply_id, is_of_user, untrusted } = waiting;
    if (!recordsReplies(init) || !mayWriteMemory(init, is_of_user)) return DROPPED;
    if (!isRecordingAllowed(this.#session)) return DROPPED;
    const store = this.#platform.openStore(init);
    if (store === null) return DROPPED;
    const chosen = waiting.answer
      ? ({ type: "chosen", answer: waiting.answer } as const)
      : await this.#choose(waiting, store, stop);
    if (chosen.type !== "chosen") return this.#afterChoice(chosen, waiting);
    const { answer } = chosen;
    const { memories } = answer;
    const store_id = await store.readId();
    const isUntrusted = untrusted !== null;
    const done = { type: "recorded", store_id, answer, isUntrusted } as const;
    if (memories.length === 0) return { ...done, outcomes: [] };
    const source = { session_id: init.session_id, reply_id, tool_call_id: null };
    const recorded = await store.record({
      record_id: reply_id,
      memories: memories.map(({ content, supersedes }) => ({
        content,
        untrusted,
        source,
        ...(supersedes !== null && { supersedes }),
      })),
    });
    if (!recorded.ok) return this.#afterFailure(recorded.failure, waiting, answer);
    return { ...done, outcomes: recorded.value.outcomes };
  }

  /** The choice is on disk when it resolves. */
  async #choose(
    { reply_id }: WaitingRecording,
    store: MemoryStore,
    stop: AbortSignal,
  ): Promise<Chosen> {
    const { tenant, tables, newId, log, transaction, sync } = this.#session;
    this.#holdsLease = true;
    try {
      const chosen = await chooseOfReply(this.#session, {
        reply_id,
        store,
        env: this.#platform.env,
        admit: () => tenant.checkBeside({ reply_id: newId("sum"), tokens: 0 }),
        stop,
        deadline: AbortSignal.timeout(RECORDING_MS),
      });
      if (chosen.type !== "chosen" || log.isClosed) return chosen;
      transaction(() => tables.recordings.setAnswer(reply_id, chosen.answer));
      await sync();
      return chosen;
    } finally {
      this.#holdsLease = false;
    }
  }

  #afterChoice(chosen: Exclude<Chosen, { type: "chosen" }>, waiting: WaitingRecording): Outcome {
    switch (chosen.type) {
      case "nothing":
        return DROPPED;
      case "stopped":
        return LATER;
      case "suspended":
        return { type: "later", waitMs: RECORDING_SUSPENDED_MS };
      case "unavailable":
        return this.#tryAgain(waiting);
      case "failed": {
        const { error, used } = chosen;
        return { type: "failed", error, ...(used && { used }) };
      }
      default:
        return chosen satisfies never;
    }
  }

  #afterFailure(
    { code, detail }: MemoryFailure,
    waiting: WaitingRecording,
    used: RecordingAnswer,
  ): Outcome {
    if (code === "unavailable") return this.#tryAgain(waiting, used);
    const type = code === "quota_exceeded" ? "quota_exceeded" : "permission";
    return { type: "failed", error: { type, message: detail }, used };
  }

  #tryAgain({ tries }: WaitingRecording, used?: Used): Outcome {
    if (tries + 1 < MAX_RECORDING_TRIES) {
      return { type: "later", isTry: true, waitMs: RECORDING_CHECK_MS * 2 ** Math.min(tries, 5) };
    }
    return { type: "failed", error: modelError("internal"), ...(used && { used }) };
  }

  /** One commit. */
  #end({ reply_id }: WaitingRecording, outcome: Outcome): void {
    const { log, tables, outbox, isActing, newId, transaction } = this.#session;
    if (outcome.type === "later") {
      const { waitMs, isTry = false } = outcome;
      transaction(() => {
        if (isTry) tables.recordings.addTry(reply_id);
        tables.timers.set(RECORDING, Date.now() + waitMs);
      });
      return;
    }
    const finish = (): void => {
      tables.recordings.remove(reply_id);
      if (tables.recordings.first()) tables.timers.set(RECORDING, Date.now());
      else tables.timers.clear(RECORDING);
    };
    if (outcome.type === "dropped") return transaction(finish);
    const { name, value } = eventOf(reply_id, outcome);
    const used = outcome.type === "recorded" ? outcome.answer : outcome.used;
    log.append([{ type: "CUSTOM", name, value: { ...value } }], {
      isLast: !isActing,
      write: (events) => {
        finish();
        if (!used) return;
        const { model: model_name, usage, cost_usd } = used;
        const seq = events.at(-1)?.seq ?? log.lastSeq;
        outbox.addUsage(newId("sum"), { model_name, usage, cost_usd }, seq);
        tables.timers.setBy(WATCHDOG, Date.now() + WATCHDOG_INTERVAL_MS);
      },
    });
  }
}

const DROPPED: Outcome = { type: "dropped" };
const LATER: Outcome = { type: "later", waitMs: RECORDING_CHECK_MS };

function eventOf(
  reply_id: string,
  outcome: Extract<Outcome, { type: "recorded" | "failed" }>,
): { readonly name: string; readonly value: MemoriesRecordedValue | MemoryRecordFailedValue } {
  if (outcome.type === "failed") {
    const { error, used } = outcome;
    const spent = used && { model: used.model, usage: used.usage };
    return { name: MEMORY_RECORD_FAILED, value: { reply_id, error, ...spent } };
  }
  const { store_id, outcomes, answer, isUntrusted } = outcome;
  const { model, usage } = answer;
  const memories = outcomes.flatMap(writtenMemory);
  const mark = isUntrusted && memories.length > 0 ? { untrusted: true as const } : {};
  return {
    name: MEMORIES_RECORDED,
    value: { reply_id, store_id, memories, ...mark, model, usage },
  };
}
