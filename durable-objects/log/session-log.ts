// The session's event log: it alone assigns seqs, decides which events are visible, and writes rows. It knows nothing
// of replies; others follow it as its observer or as readers with a cursor.
import type { DeltaDraft } from "../../agent/ports.ts";
import type { EventDraft, LoggedEvent } from "../../protocol/events.ts";
import {
  DELTA_COMMIT_BYTES,
  DELTA_COMMIT_MS,
  DELTA_SEND_WINDOW_MS,
  MAX_ROW_BYTES,
} from "../../protocol/events/limits.ts";
import { ANSWER_PIECE_BYTES } from "../../protocol/requests/limits.ts";
import { CommitTimer } from "./commit-timer.ts";
import { DeltaWindow } from "./delta-window.ts";
import type { Frame } from "./delta-form.ts";
import { TimestampClock } from "./event-stamp.ts";
import { EventTable, type LargeFrames, type StoredFrames } from "./event-table.ts";
import type { EventText } from "./frame-bytes.ts";
import type { AppendOptions, LogObserver } from "./log-observer.ts";
import { framesBetween } from "./frames-between.ts";
import { nextReservation } from "./next-reservation.ts";
import { encodeFrames, packFrames } from "./pack-frames.ts";
import { parseFrames, type ReadEvents } from "./parse-frames.ts";
import { prepareEvent, type PreparedEvent } from "./prepared-event.ts";
import { RecentFrames } from "./recent-frames.ts";
import type { Sized } from "../bytes/take-page.ts";

export class SessionLog {
  readonly #storage: DurableObjectStorage;
  readonly #table: EventTable;
  readonly #observer: LogObserver;
  readonly #clock = new TimestampClock();
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();
  readonly #window = new DeltaWindow((draft) => this.#emitDelta(draft));
  /** Events that may not be on disk yet: `#syncing` are written, `#fresh` are not. */
  #syncing: Frame[] = [];
  #fresh: Frame[] = [];
  #freshCharacters = 0;
  readonly #recent = new RecentFrames();
  /** Seqs of events that may not be seen before they are durable, oldest first. */
  #barriers: number[] = [];
  /** Writes of the next commit, of events that were not committed at once. */
  #left: (() => void)[] = [];
  /** Whether those events get a row of their own, whatever follows. */
  #areLeftAlone = false;
  #lastSeq: number;
  #nextSeq: number;
  #durableSeq: number;
  #reservedSeq: number;
  #durableReservedSeq: number;
  readonly #commitTimer = new CommitTimer(() => this.#commit({}));
  #synced: Promise<void> = Promise.resolve();
  #change: PromiseWithResolvers<void> | null = null;
  #isClosed = false;
  #hasFailed = false;

  constructor(storage: DurableObjectStorage, observer: LogObserver) {
    this.#storage = storage;
    this.#table = new EventTable(storage.sql);
    this.#observer = observer;
    const { last, reserved } = this.#table.ends();
    this.#lastSeq = last;
    this.#reservedSeq = reserved;
    this.#durableSeq = this.#lastSeq;
    this.#durableReservedSeq = this.#reservedSeq;
    // Readers may have seen seqs up to the mark before a crash: they are not assigned again.
    this.#nextSeq = Math.max(this.#lastSeq, this.#reservedSeq) + 1;
  }

  /** The seq of the last event, visible or not. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** The greatest seq that a reader may have; a greater cursor is invalid. */
  get highWaterMark(): number {
    return Math.max(this.#lastSeq, this.#reservedSeq);
  }

  get visibleSeq(): number {
    const [barrier] = this.#barriers;
    const unbarred = barrier === undefined ? this.#lastSeq : barrier - 1;
    // No seq is visible before its reservation is on disk.
    return Math.min(unbarred, Math.max(this.#durableReservedSeq, this.#durableSeq));
  }

  /** A write has failed, so memory and disk differ: the object is about to restart. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get durableSeq(): number {
    return this.#durableSeq;
  }

  /** Appends events that are visible only when they and all before them are on disk. One row. */
  append(drafts: readonly EventDraft[], options: AppendOptions = {}): readonly LoggedEvent[] {
    this.#window.flush();
    if (this.#areLeftAlone) this.#commit({});
    const events = drafts.map((draft, i) => this.#stamp(draft, options.staged?.events[i]));
    for (const event of events) this.#barriers.push(event.seq);
    const write = () => {
      this.#observer.committing(events);
      options.write?.(events);
    };
    if (options.commit === undefined) this.#commit({ ...options, write });
    else this.#commitLater(write, options.commit);
    return events;
  }

  /** The drafts as they will be in the log, unless other events are appended before them. */
  prepare(drafts: readonly EventDraft[]): readonly PreparedEvent[] {
    this.#window.flush();
    const created_at = this.#clock.now();
    return drafts.map((draft, index) => prepareEvent(draft, this.#nextSeq + index, created_at));
  }

  /** Whether prepared events still fit: they are the next ones, and begin a row. */
  isNext([first]: readonly PreparedEvent[]): boolean {
    this.#window.flush();
    return first?.event.seq === this.#nextSeq && this.#fresh.length === 0;
  }

  appendDelta(draft: DeltaDraft): void {
    this.#window.push(draft);
  }

  /** Resolves when everything appended so far is on disk and visible. */
  settled(): Promise<void> {
    this.#window.flush();
    if (this.#fresh.length > 0) this.#commit({});
    return this.#synced;
  }

  /** Resolves at the next moment at which more may be visible. */
  changed(): Promise<void> {
    this.#change ??= Promise.withResolvers<void>();
    return this.#change.promise;
  }

  /** Resolves {@link changed} for all waiting readers. */
  wake(): void {
    this.#change?.resolve();
    this.#change = null;
  }

  /** Visible frames after a cursor: rows first, then what is in memory. Null at the end. */
  read(cursor: number, upTo = this.visibleSeq): StoredFrames | LargeFrames | null {
    if (cursor < this.#durableSeq && !this.#recent.reachTo(cursor)) {
      const durable = Math.min(upTo, this.#durableSeq);
      const stored = this.#table.readFrames(cursor, durable, ANSWER_PIECE_BYTES);
      if (stored) return stored;
    }
    const { text, last } = this.#readMemory(cursor, upTo);
    return text === "" ? null : { bytes: this.#encoder.encode(text), last };
  }

  /** As {@link read}, as the events that the frames hold. @param splitAt As in {@link EventTable.read}. */
  readEvents(cursor: number, upTo = this.visibleSeq, splitAt?: number): ReadEvents | null {
    const stored = this.#readRows(cursor, upTo, splitAt);
    if (stored) return parseFrames(this.#decoder.decode(stored.bytes), stored.last);
    const { text, last } = this.#readMemory(cursor, upTo);
    return text === "" ? null : parseFrames(text, last);
  }

  /** Parsed events that are on disk, read lazily. @param unreadable See {@link EventTable.events}. */
  events(
    cursor: number,
    upTo = this.#durableSeq,
    unreadable?: (error: unknown) => void,
  ): Iterable<Sized<LoggedEvent>> {
    return this.#table.events(cursor, Math.min(upTo, this.#durableSeq), unreadable);
  }

  /** As {@link EventTable.marks}, of what is on disk. */
  marks(cursor: number): Iterable<LoggedEvent> {
    return this.#table.marks(cursor, this.#durableSeq);
  }

  /** Events that tell a reply's usage: ends of its model calls, then `CUSTOM` events. As {@link EventTable.ofType}. */
  *usageEvents(cursor: number): Iterable<LoggedEvent> {
    yield* this.#table.ofType("MODEL_CALL_END", cursor);
    yield* this.#table.ofType("CUSTOM", cursor);
  }

  /** As {@link events}, not parsed. */
  eventTexts(cursor: number, upTo: number): Iterable<Sized<EventText>> {
    return this.#table.eventTexts(cursor, Math.min(upTo, this.#durableSeq));
  }

  /** Stored rows have changed: readers get what is on disk from there. */
  forgetRecent(): void {
    this.#recent.clear();
  }

  /** Stops writing and reading: the storage is about to be erased. */
  close(): void {
    this.#isClosed = true;
    this.#commitTimer.clear();
    this.wake();
  }

  #readRows(cursor: number, upTo: number, splitAt?: number): StoredFrames | null {
    if (cursor >= this.#durableSeq || this.#recent.reachTo(cursor)) return null;
    return this.#table.read(cursor, Math.min(upTo, this.#durableSeq), ANSWER_PIECE_BYTES, splitAt);
  }

  #readMemory(cursor: number, upTo: number) {
    return framesBetween([this.#recent.frames, this.#syncing, this.#fresh], cursor, upTo);
  }

  #emitDelta(draft: DeltaDraft): void {
    if (this.#isClosed) return;
    this.#stamp(draft);
    if (this.#freshCharacters >= DELTA_COMMIT_BYTES) this.#commit({});
    else if (!this.#commitTimer.isSet) this.#commitTimer.set(DELTA_COMMIT_MS);
    this.wake();
  }

  #stamp(draft: EventDraft, prepared?: PreparedEvent): LoggedEvent {
    const { event, frame } = prepared ?? prepareEvent(draft, this.#nextSeq, this.#clock.now());
    this.#lastSeq = this.#nextSeq;
    this.#nextSeq += 1;
    this.#fresh.push({ seq: event.seq, text: frame });
    this.#freshCharacters += frame.length;
    this.#observer.logged(event);
    return event;
  }

  #commitLater(write: () => void, when: "soon" | "with_next"): void {
    this.#left.push(write);
    this.#areLeftAlone ||= when === "soon";
    this.#commitTimer.set(when === "soon" ? DELTA_SEND_WINDOW_MS : 0);
  }

  /** Writes all fresh events as one row, with the mark of reserved seqs and the callers' writes. */
  #commit({ write, isLast, staged }: Omit<AppendOptions, "write"> & { write?: () => void }): void {
    if (this.#isClosed) return;
    this.#commitTimer.clear();
    const [seq, isEmpty] = [this.#lastSeq, this.#fresh.length === 0];
    const reservedSeq = nextReservation(this.#reservedSeq, { seq, isLast, isEmpty });
    const unwritten = this.#fresh.slice(staged?.events.length ?? 0);
    // Packed rows cannot be joined with what was written ahead.
    const row = staged ? encodeFrames(unwritten) : packFrames(unwritten);
    const isReserving = reservedSeq !== this.#reservedSeq;
    const areDeltas = !write && this.#left.length === 0 && !isReserving;
    const record = (): void => {
      if (!isEmpty) this.#table.insert(seq, reservedSeq, row, staged?.row);
      else if (isReserving) this.#table.reserve(seq, reservedSeq);
      for (const writeLeft of this.#left) writeLeft();
      write?.();
    };
    try {
      // A row of deltas is one statement, which needs no transaction around it, unless it is cut into parts.
      if (areDeltas && row.byteLength <= MAX_ROW_BYTES) record();
      else this.#storage.transactionSync(record);
    } catch (error) {
      this.#fail(error);
      throw error;
    }
    this.#reservedSeq = reservedSeq;
    this.#left = [];
    this.#areLeftAlone = false;
    this.#syncing.push(...this.#fresh);
    this.#fresh = [];
    this.#freshCharacters = 0;
    this.#observer.committed(seq);
    this.#synced = this.#storage.sync().then(() => {
      this.#becomeDurable(seq, reservedSeq);
      // Deltas were visible before they were on disk: no reader waits for them here.
      if (!areDeltas) this.wake();
    });
    // Callers of `settled` get the same rejection.
    this.#synced.catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): void {
    this.#hasFailed = true;
    this.#observer.failed(error);
  }

  #becomeDurable(seq: number, reservedSeq: number): void {
    this.#durableSeq = Math.max(this.#durableSeq, seq);
    this.#durableReservedSeq = reservedSeq;
    this.#recent.add(this.#syncing.filter((frame) => frame.seq <= seq));
    this.#syncing = this.#syncing.filter((frame) => frame.seq > seq);
    this.#barriers = this.#barriers.filter((barrier) => barrier > seq);
    this.#observer.durable(seq);
  }
}
