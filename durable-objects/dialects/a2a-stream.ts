// A stream of a task's updates, for a reader that begins at any position: the task as it is there, then what follows, once.
import { A2aTranslator, type A2aFrame } from "../../protocol/dialects/a2a/a2a-translator.ts";
import { taskFrames } from "../../protocol/dialects/a2a/task-frames.ts";
import { isSettledTask, type A2aTaskNames } from "../../protocol/dialects/a2a/task-status.ts";
import type { A2aTask } from "../../protocol/a2a/wire.ts";
import { DIALECTS, type DialectCursor } from "../../protocol/dialects/dialects.ts";
import { accept, refuse } from "../../protocol/errors.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import { encodeMessage } from "../../protocol/sse.ts";
import type { StreamRequest } from "../api/stream-request.ts";
import type { EventRange } from "../sessions/event-range.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { eventsBetween } from "../sessions/replay-events.ts";
import {
  refuseCursor,
  type StreamTranslation,
  type TextPiece,
} from "../streams/stream-translation.ts";
import type { ObjectDialect } from "./object-dialect.ts";
import { taskHistory } from "./task-history.ts";
import { taskNames } from "./task-names.ts";

const { write: writeId } = DIALECTS.a2a.cursor;

type Place = Pick<A2aFrame, "seq" | "k">;
/** @see placeMetadata */
type ShownPlace = { readonly seq: number; readonly k: number | null };

export const A2A_DIALECT: ObjectDialect = {
  isFolding: true,
  open(session, range, request) {
    const { after, replyId } = request;
    if (replyId === null) return refuse("not_found", "a task is one reply of its session");
    const stream = new A2aStream(session, range, taskNames(session, replyId));
    const prelude = after === null ? stream.join(request) : stream.resume(after, request);
    if (prelude === null) return refuseCursor();
    return accept({ after: stream.position, prelude, translation: stream });
  },
};

/** The translation of one reader. */
class A2aStream implements StreamTranslation {
  readonly catchUp = null;
  readonly #session: OpenSession;
  readonly #range: EventRange;
  readonly #names: A2aTaskNames;
  readonly #translator: A2aTranslator;
  /** The last frame that the reader has. */
  #seen: Place = { seq: 0, k: 0 };
  /** The seq of the last event that was translated. */
  #position = 0;
  /** Whether the reader was sent that the task is over or waits. */
  #isToldSettled = false;

  constructor(session: OpenSession, range: EventRange, names: A2aTaskNames) {
    this.#session = session;
    this.#range = range;
    this.#names = names;
    this.#translator = new A2aTranslator(names);
  }

  /** The log is read from the event after this one. */
  get position(): number {
    return this.#position;
  }

  /** The task waits, and its reader has known that before: the stream is for what follows the answer. */
  get staysOpen(): boolean {
    return this.#translator.isWaiting && !this.#isToldSettled;
  }

  /** A reader that was told of an earlier wait, which has an answer since then, gets what follows. */
  get isOver(): boolean {
    if (this.#translator.isEnded) return true;
    const end = Math.min(this.#session.log.visibleSeq, this.#range.upTo() ?? Infinity);
    return this.#isToldSettled && this.#position >= end;
  }

  push(event: LoggedEvent): readonly TextPiece[] {
    this.#position = event.seq;
    return this.#encodeUnseen(this.#translator.push(event));
  }

  flush(): readonly TextPiece[] {
    return this.#encodeUnseen(this.#translator.flush());
  }

  /** For a new reader: the whole task. */
  join({ historyLength }: StreamRequest): readonly TextPiece[] {
    const start = this.#range.start();
    if (start === null) return this.#show(this.#taskWithHistory(historyLength), null);
    this.#seen = { seq: start, k: 0 };
    this.#catchUp(start);
    return this.#show(this.#taskWithHistory(historyLength), this.#seen);
  }

  /**
   * For a reader that resumes at its cursor: the task without what it has, then the frames of that seq that it lacks.
   * @returns Null when the cursor's frame does not exist.
   */
  resume(
    { seq, part }: DialectCursor,
    { historyLength }: StreamRequest,
  ): readonly TextPiece[] | null {
    const start = this.#range.start();
    this.#position = seq;
    if (start === null || seq <= start) {
      // The beginning of a reply, as the platform gives it: nothing of it was sent before.
      const isNew = part === null;
      const task = isNew ? this.#taskWithHistory(historyLength) : this.#translator.task(false);
      return this.#show(task, start === null ? null : { seq: start, k: 0 });
    }
    this.#seen = { seq, k: part ?? Infinity };
    const named = this.#replay(start, seq, part);
    if (named === "lost") {
      this.#catchUp(seq);
      return this.#show(this.#taskWithHistory(historyLength), this.#seen, true);
    }
    if (named === null) return null;
    const shown = this.#show(this.#translator.task(false), { seq, k: part });
    return [...shown, ...this.#encodeUnseen(named)];
  }

  /**
   * Translates what the reader has, and the event of its cursor apart from the rest: a condensed delta is not to bring what
   * the reader has from before it.
   * @returns The frames of that event; null when the named one is not among them, `lost` for an event that a crash has lost.
   */
  #replay(start: number, seq: number, part: number | null): readonly A2aFrame[] | "lost" | null {
    const before = part === null ? seq : seq - 1;
    for (const event of eventsBetween(this.#session, start, before)) this.#translator.push(event);
    let frames: readonly A2aFrame[] = [];
    let named: LoggedEvent | null = null;
    for (const event of eventsBetween(this.#session, Math.max(start, before), seq)) {
      frames = this.#translator.push(event);
      named = event;
    }
    if (part === null) return [];
    // Other events may be lost with it, whose texts the reader has and the log does not.
    if (named === null) return "lost";
    // The event belongs to no task: the reader has all of it.
    if (named.reply_id !== this.#names.task_id) return [];
    const hasFrame = () => part <= (frames.findLast((frame) => frame.seq === seq)?.k ?? 0);
    // For a task that waited, the frame may be one of `flush`.
    if (!hasFrame()) frames = [...frames, ...this.#translator.flush()];
    return hasFrame() ? frames : null;
  }

  /** Translates what has happened since `after`: all of it is seen, as part of the task. */
  #catchUp(after: number): void {
    const session = this.#session;
    const end = Math.min(session.log.visibleSeq, this.#range.upTo() ?? Infinity);
    this.#position = end;
    for (const event of eventsBetween(session, after, end)) {
      this.#markSeen(this.#translator.push(event));
    }
    if (this.#range.isOver(end)) this.#markSeen(this.#translator.flush());
  }

  #taskWithHistory(length: number | undefined): A2aTask {
    const history = taskHistory(this.#session, this.#names, length);
    const task = this.#translator.task();
    return history.length > 0 ? { ...task, history } : task;
  }

  /** The frames of the task. Their last one alone has an id. @param place Null for a task that has not begun. */
  #show(task: A2aTask, place: ShownPlace | null, isReset = false): readonly TextPiece[] {
    const isOpen = (artifactId: string) => this.#translator.isOpen(artifactId);
    const responses = taskFrames({ task, place, isReset, isOpen });
    const id = place && writeId(place.seq, place.k);
    return responses.map((response, index) =>
      encodeMessage(index === responses.length - 1 ? id : null, JSON.stringify(response)),
    );
  }

  #encodeUnseen(frames: readonly A2aFrame[]): readonly TextPiece[] {
    return frames.flatMap(({ seq, k, response }) => {
      if (this.#isSeen({ seq, k })) return [];
      const state = response.statusUpdate?.status.state;
      if (state !== undefined) this.#isToldSettled = isSettledTask(state);
      return [encodeMessage(writeId(seq, k), JSON.stringify(response))];
    });
  }

  #markSeen(frames: readonly A2aFrame[]): void {
    this.#seen = frames.at(-1) ?? this.#seen;
  }

  #isSeen({ seq, k }: Place): boolean {
    return seq < this.#seen.seq || (seq === this.#seen.seq && k <= this.#seen.k);
  }
}
