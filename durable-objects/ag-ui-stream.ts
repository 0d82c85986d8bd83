// The log as AG-UI's frames: for readers that begin anywhere.
import type { AgUiFrame } from "../protocol/dialects/ag-ui/events.ts";
import { AgUiTranslator } from "../protocol/dialects/ag-ui/translator.ts";
import { accept, type Result } from "../protocol/errors.ts";
import type { LoggedEvent } from "../protocol/events.ts";
import { encodeFrame } from "../protocol/sse.ts";
import type { EventRange } from "./event-range.ts";
import { eventsBetween, findBeginning, findReplyAt } from "./events-behind.ts";
import type { OpenSession } from "./open-session.ts";
import { RunWindow } from "./run-window.ts";
import { SessionHistory } from "./session-history.ts";
import { showConversation } from "./show-conversation.ts";
import type { StreamCursor, StreamRequest } from "./stream-request.ts";
import {
  refuseCursor,
  type StreamTranslation,
  type TranslatedStart,
} from "./stream-translation.ts";

/** A frame's place: the event of the log that it comes of, and its number among those. */
type Place = Pick<AgUiFrame, "seq" | "k">;

/** @returns `invalid_cursor` for a frame that no event has. */
export function openAgUiStream(
  session: OpenSession,
  range: EventRange,
  request: StreamRequest,
): Result<TranslatedStart> {
  const { after: cursor, replyId } = request;
  const translation = new AgUiStream(session, request);
  if (cursor === null) return accept({ ...translation.join(session, range, replyId), translation });
  const prelude = translation.goOn(session, range, cursor);
  return prelude === null ? refuseCursor() : accept({ after: cursor.seq, prelude, translation });
}

/** One reader's. */
class AgUiStream implements StreamTranslation {
  readonly #history: SessionHistory;
  readonly #translator: AgUiTranslator;
  readonly #window: RunWindow | null;
  /** The last frame that the reader has. */
  #seen: Place = { seq: 0, k: 0 };

  constructor({ tables }: OpenSession, { isRaw, run }: StreamRequest) {
    this.#history = new SessionHistory(tables);
    this.#translator = new AgUiTranslator(this.#history, { isRaw });
    this.#window = run && new RunWindow(run);
  }

  get isOver(): boolean {
    return this.#window?.isOver ?? false;
  }

  push(event: LoggedEvent): string {
    return this.#tell(this.#translator.push(event));
  }

  rest(): string {
    return this.#tell(this.#translator.rest());
  }

  /**
   * For a reader that has nothing: the conversation as it is, and the newest reply, or the one of this id, as if the
   * reader had been there.
   */
  join(
    session: OpenSession,
    range: EventRange,
    replyId: string | null,
  ): Pick<TranslatedStart, "after" | "prelude"> {
    const { log, tables } = session;
    const reply =
      replyId === null ? findReplyAt(session, log.visibleSeq) : tables.replies.find(replyId);
    if (!reply && replyId !== null) return { after: 0, prelude: "" };
    const after = Math.min(log.visibleSeq, range.upTo() ?? Infinity);
    this.#seen = { seq: after, k: 0 };
    this.#history.isUnseen = true;
    for (const event of eventsBetween(session, reply?.start_cursor ?? 0, after)) {
      this.#learn(this.#translator.push(event));
    }
    if (range.isOver(after)) this.#learn(this.#translator.rest());
    this.#history.isUnseen = false;
    const { seq, k } = this.#seen;
    const shown = reply ? this.#translator.join() : showConversation(session);
    return { after, prelude: shown.map((event) => this.#encode({ seq, k, event })).join("") };
  }

  /**
   * For a reader that goes on where it was.
   * @returns What it lacks of the frames of that seq; null when there is no such frame.
   */
  goOn(session: OpenSession, range: EventRange, { seq, part }: StreamCursor): string | null {
    this.#seen = { seq, k: part ?? Infinity };
    const start = range.start();
    if (start === null || seq <= start) return "";
    const beginning = Math.max(start, findBeginning(session, part === null ? seq : seq - 1));
    let named: LoggedEvent | null = null;
    let frames: readonly AgUiFrame[] = [];
    for (const event of eventsBetween(session, beginning, seq)) {
      this.#history.isUnseen = part === null || event.seq < seq;
      const translated = this.#translator.push(event);
      if (this.#history.isUnseen) {
        if (part !== null) this.#pass(translated);
      } else {
        named = event;
        frames = translated;
      }
    }
    this.#history.isUnseen = false;
    // Lost with its machine, or not shown: one frame at most, which the reader has.
    if (part === null || !named) return "";
    const hasFrame = () => part <= (frames.findLast((frame) => frame.seq === seq)?.k ?? 0);
    // Of a reply that waited, the frame may be one that was said when nothing followed.
    if (!hasFrame()) frames = [...frames, ...this.#translator.rest()];
    if (named.reply_id !== undefined && !hasFrame()) return null;
    this.#pass(frames.filter((frame) => this.#isSeen(frame)));
    return this.#tell(frames);
  }

  #pass(frames: readonly AgUiFrame[]): void {
    for (const { event } of frames) this.#window?.pass(event);
  }

  #tell(frames: readonly AgUiFrame[]): string {
    let text = "";
    for (const frame of frames) if (!this.#isSeen(frame)) text += this.#encode(frame);
    return text;
  }

  #learn(frames: readonly AgUiFrame[]): void {
    this.#seen = frames.at(-1) ?? this.#seen;
  }

  #isSeen({ seq, k }: Place): boolean {
    return seq < this.#seen.seq || (seq === this.#seen.seq && k <= this.#seen.k);
  }

  #encode({ seq, k, event }: AgUiFrame): string {
    const told = this.#window ? this.#window.take(event) : event;
    return told ? encodeFrame(`${seq}.${k}`, told.type, JSON.stringify(told)) : "";
  }
}
