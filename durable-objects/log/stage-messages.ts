// Writes large messages ahead of their commit, because a commit of several megabytes blocks all sessions of the
// isolate. Their parts are written one by one, each in a time slice of its own, under the seqs that they will have; the
// commit then writes little more than the rows that refer to them. Parts without a row are ignored, so a crash in
// between is harmless.
import { contentCharacters } from "../../agent/state/characters.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { MAX_ROW_BYTES } from "../../protocol/events/limits.ts";
import { LARGE_VALUE_CHARACTERS } from "../../protocol/requests/limits.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import {
  deletePartsAbove,
  deleteUnnamedParts,
  storePart,
  type StagedValue,
} from "../bytes/parts.ts";
import type { PreparedEvent } from "./prepared-event.ts";
import type { SessionLog } from "./session-log.ts";

/** Bytes of a staged value that are in its own row: few, so that the row costs little to write in the commit. */
const STAGED_HEAD_BYTES = 1_000;

export interface StagedMessages {
  readonly messages: readonly Msg[];
  /** The messages' events, and those before them, which are the first of the row. */
  readonly events: readonly PreparedEvent[];
  readonly row: StagedValue;
  readonly bodies: readonly StagedBody[];
}

/** A message as its row will have it. */
export interface StagedBody {
  readonly value: StagedValue;
  /** Bytes of its JSON. */
  readonly bytes: number;
}

interface ValuePlace {
  readonly owner: "event" | "message";
  readonly key: number;
  /** No later event of the same commit follows in it. */
  readonly isWhole: boolean;
}

export function messageAdded(message: Msg): EventDraft {
  return { type: "CUSTOM", name: "message_added", value: { message } };
}

/** Whether messages are together large enough to be written ahead of their commit. */
export function areLarge(messages: readonly Msg[]): boolean {
  let characters = 0;
  return messages.some((message) => (characters += contentCharacters(message)) > MAX_ROW_BYTES);
}

/** Staging of one session: for one request at a time, because two would have the same seqs. */
export class MessageStage {
  readonly #log: SessionLog;
  readonly #sql: SqlStorage;
  #owner: Staging | null = null;

  constructor(log: SessionLog, sql: SqlStorage) {
    this.#log = log;
    this.#sql = sql;
  }

  /** For one request, which has to release it when it is over. */
  open(): Staging {
    return new Staging(this.#log, this.#sql, {
      acquire: (staging) => (this.#owner ??= staging) === staging,
      release: (staging) => {
        if (this.#owner === staging) this.#owner = null;
      },
    });
  }
}

interface StageLock {
  /** False when another request has it. */
  acquire(staging: Staging): boolean;
  release(staging: Staging): void;
}

/** The messages that one request writes ahead. */
export class Staging {
  readonly #log: SessionLog;
  readonly #sql: SqlStorage;
  readonly #lock: StageLock;
  #hasTried = false;
  #staged: StagedMessages | null = null;

  constructor(log: SessionLog, sql: SqlStorage, lock: StageLock) {
    this.#log = log;
    this.#sql = sql;
    this.#lock = lock;
  }

  /** Whether the messages are large enough to be written ahead, and staging was not tried yet. */
  isDue(messages: readonly Msg[]): boolean {
    return !this.#hasTried && areLarge(messages);
  }

  /**
   * Writes the parts of `messages` ahead of their commit, unless another request is staging: then the commit writes
   * everything. If other events are appended meanwhile, it stops, and {@link use} returns nothing.
   * @param following Number of events of that commit after those of the messages.
   * @param before Its events before them.
   */
  async stage(
    messages: readonly Msg[],
    following: number,
    before: readonly EventDraft[] = [],
  ): Promise<void> {
    this.#hasTried = true;
    if (this.#lock.acquire(this)) this.#staged = await this.#stage(messages, following, before);
  }

  /**
   * The staged messages, if they fit the commit that is made now.
   * @param messages The messages of that commit: of the same request, so that equal ids mean equal messages.
   */
  use(messages: readonly Msg[]): StagedMessages | undefined {
    const staged = this.#staged;
    if (!staged || staged.messages.length !== messages.length) return undefined;
    const areSame = staged.messages.every(({ id }, index) => id === messages[index]?.id);
    return areSame && this.#log.isNext(staged.events) ? staged : undefined;
  }

  /** Releases the staging for other requests, and deletes parts that no row refers to. */
  release(): void {
    this.#lock.release(this);
    if (!this.#staged || this.#log.isClosed || this.#log.hasFailed) return;
    const { row, bodies } = this.#staged;
    const large = bodies.filter(({ bytes }) => bytes > MAX_ROW_BYTES);
    for (const { place } of [row, ...large.map(({ value }) => value)]) {
      deleteUnnamedParts(this.#sql, place.owner, place.key);
    }
  }

  async #stage(
    messages: readonly Msg[],
    following: number,
    before: readonly EventDraft[],
  ): Promise<StagedMessages> {
    // Parts that a crash has left.
    for (const owner of ["event", "message"] as const) {
      deletePartsAbove(this.#sql, owner, this.#log.lastSeq);
    }
    await timeSlice();
    const events = this.#log.prepare([...before, ...messages.map(messageAdded)]);
    const firstSeq = (events[0]?.event.seq ?? this.#log.lastSeq + 1) + before.length;
    const rowSeq = firstSeq + messages.length - 1 + following;
    await timeSlice();
    const frames = events.map(({ frame }) => frame).join("");
    // The last part also holds the frames of the following events: the commit writes it.
    const place = { owner: "event", key: rowSeq, isWhole: false } as const;
    const row = await this.#stageValue(events, place, frames);
    const bodies: StagedBody[] = [];
    let characters = Infinity;
    for (const [index, message] of messages.entries()) {
      const own = contentCharacters(message);
      if (characters + own > LARGE_VALUE_CHARACTERS) await timeSlice();
      characters = characters + own > LARGE_VALUE_CHARACTERS ? own : characters + own;
      const body = { owner: "message", key: firstSeq + index, isWhole: true } as const;
      const value = await this.#stageValue(events, body, JSON.stringify(message));
      bodies.push({ value, bytes: value.bytes });
    }
    return { messages, events, row, bodies };
  }

  /** @param text The value. Returns its head and the rest that is still to be written. */
  async #stageValue(
    events: readonly PreparedEvent[],
    { owner, key, isWhole }: ValuePlace,
    text: string,
  ): Promise<StagedValue & { readonly bytes: number }> {
    const bytes = new TextEncoder().encode(text);
    if (isWhole && bytes.byteLength <= MAX_ROW_BYTES) {
      const rest = new Uint8Array(0);
      return { head: bytes, place: { owner, key, part: 1 }, rest, bytes: bytes.byteLength };
    }
    const head = bytes.slice(0, STAGED_HEAD_BYTES);
    let start = head.byteLength;
    let part = 1;
    const last = isWhole ? bytes.byteLength : bytes.byteLength - MAX_ROW_BYTES;
    for (; start < last; start += MAX_ROW_BYTES) {
      await timeSlice();
      // After another append, other rows may have these keys.
      if (this.#log.isClosed || !this.#log.isNext(events)) break;
      storePart(this.#sql, { owner, key, part }, bytes.subarray(start, start + MAX_ROW_BYTES));
      part += 1;
    }
    return { head, place: { owner, key, part }, rest: bytes.slice(start), bytes: bytes.byteLength };
  }
}
