// A stream of AG-UI frames, translated from the log, for a reader that begins at any position.
import type { AgUiEvent, AgUiFrame } from "../../protocol/dialects/ag-ui/wire/events.ts";
import { DIALECTS, type DialectCursor } from "../../protocol/dialects/dialects.ts";
import type { MessagesSnapshot } from "../../protocol/dialects/ag-ui/messages-snapshot.ts";
import { eventInProfile, messageInProfile } from "../../protocol/dialects/ag-ui/profile.ts";
import type { AgUiProfile } from "../../protocol/ag-ui/ag-ui-profile.ts";
import { AgUiTranslator } from "../../protocol/dialects/ag-ui/ag-ui-translator.ts";
import { accept } from "../../protocol/errors.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import { encodeFrame } from "../../protocol/sse.ts";
import { MAX_SHOWN_CHARACTERS } from "../../protocol/ag-ui/limits.ts";
import {
  EVENT_ENVELOPE_CHARACTERS,
  LARGE_VALUE_CHARACTERS,
} from "../../protocol/requests/limits.ts";
import type { EventRange } from "../sessions/event-range.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import {
  eventPagesBetween,
  eventsBetween,
  findBeginning,
  findReplyAt,
} from "../sessions/replay-events.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { ObjectDialect } from "./object-dialect.ts";
import { RunWindow } from "./run-window.ts";
import { SessionHistory } from "./session-history.ts";
import { showConversation } from "./show-conversation.ts";
import { snapshotFrame } from "./snapshot-frame.ts";
import { startedFrame } from "./started-frame.ts";
import { storedMessages } from "./stored-messages.ts";
import type { StreamRequest } from "../api/stream-request.ts";
import {
  refuseCursor,
  type StreamStart,
  type StreamTranslation,
  type TextPiece,
} from "../streams/stream-translation.ts";

const { write: writeId } = DIALECTS["ag-ui"].cursor;

/** The position of a frame: the seq of its log event, and its number among the frames of that event. */
type Place = Pick<AgUiFrame, "seq" | "k">;

export const AG_UI_DIALECT: ObjectDialect = {
  isFolding: true,
  open(session, range, request) {
    const { after: cursor, replyId } = request;
    const translation = new AgUiStream(session, request);
    if (cursor === null) return accept({ ...translation.join(range, replyId), translation });
    const prelude = translation.resume(range, cursor);
    return prelude === null ? refuseCursor() : accept({ after: cursor.seq, prelude, translation });
  },
};

/** The translation of one reader. */
class AgUiStream implements StreamTranslation {
  readonly #session: OpenSession;
  readonly #history: SessionHistory;
  readonly #translator: AgUiTranslator;
  readonly #window: RunWindow | null;
  readonly #profile: AgUiProfile;
  /** The last frame that the reader has. */
  #seen: Place = { seq: 0, k: 0 };
  /**
   * Whether the stream begins at a reply that may not have begun: the conversation before it is still to be replayed.
   */
  #isAhead = false;

  constructor(session: OpenSession, request: StreamRequest) {
    const { isRaw, hasRawMembers, mayEdit, profile, tokenId, run } = request;
    this.#session = session;
    this.#history = new SessionHistory(session.tables);
    // An answer by a client token proves which input was shown to its user.
    const mustSendHash = tokenId !== null;
    const options = { isRaw, hasRawMembers, mayEdit, mustSendHash, profile };
    this.#translator = new AgUiTranslator(this.#history, options);
    this.#profile = profile;
    this.#window = run && new RunWindow(run);
  }

  get isOver(): boolean {
    return this.#window?.isOver ?? false;
  }

  get catchUp() {
    return this.#isAhead ? this.#replayUpTo.bind(this) : null;
  }

  push(event: LoggedEvent): readonly TextPiece[] {
    return this.#encodeUnseen(this.#translator.push(event));
  }

  flush(): readonly TextPiece[] {
    return this.#encodeUnseen(this.#translator.flush());
  }

  /**
   * For a new reader: the current conversation, and the newest reply, or the one of this id, with what is still open.
   */
  join(range: EventRange, replyId: string | null): Pick<StreamStart, "after" | "prelude"> {
    const session = this.#session;
    const { log, tables } = session;
    const reply =
      replyId === null ? findReplyAt(session, log.visibleSeq) : tables.replies.find(replyId);
    if (!reply && replyId !== null) {
      this.#isAhead = true;
      return { after: 0, prelude: [] };
    }
    const after = Math.min(log.visibleSeq, range.upTo() ?? Infinity);
    this.#seen = { seq: after, k: 0 };
    this.#history.isUnseen = true;
    for (const event of eventsBetween(session, reply?.start_cursor ?? 0, after)) {
      this.#markSeen(this.#translator.push(event));
    }
    if (range.isOver(after)) this.#markSeen(this.#translator.flush());
    this.#history.isUnseen = false;
    const isBegun = this.#translator.replyId !== null;
    // Behind a restore no reply is shown by itself, but all of the conversation.
    if (!isBegun) this.#seen = { seq: after, k: 0 };
    const { seq, k } = this.#seen;
    const shown = isBegun ? this.#translator.join() : this.#showConversation();
    return { after, prelude: shown.flatMap((event) => this.#encode({ seq, k, event })) };
  }

  /**
   * For a reader that resumes at its cursor.
   * @returns The frames of that seq that it does not have; null when the cursor's frame does not exist.
   */
  resume(range: EventRange, { seq, part }: DialectCursor): readonly TextPiece[] | null {
    const session = this.#session;
    this.#seen = { seq, k: part ?? Infinity };
    const start = range.start();
    this.#isAhead = start === null || seq <= start;
    if (start === null || seq <= start) return [];
    const beginning = Math.max(start, findBeginning(session, part === null ? seq : seq - 1));
    let named: LoggedEvent | null = null;
    let frames: readonly AgUiFrame[] = [];
    // Apart from the event of that seq: a condensed delta is not to bring what the reader has from before it.
    const before = part === null ? seq : seq - 1;
    this.#history.isUnseen = true;
    for (const event of eventsBetween(session, beginning, before)) {
      const translated = this.#translator.push(event);
      if (part !== null) this.#pass(translated);
    }
    this.#history.isUnseen = false;
    for (const event of eventsBetween(session, Math.max(beginning, before), seq)) {
      named = event;
      frames = this.#translator.push(event);
    }
    // The event was lost in a crash, or is not translated: at most one frame, which the reader has.
    if (part === null || !named) return [];
    const partsBehind = () => part - (frames.findLast((frame) => frame.seq === seq)?.k ?? 0);
    // For a reply that waited, the frame may be one of `flush`.
    if (partsBehind() > 0) frames = [...frames, ...this.#translator.flush()];
    // A run's beginning may have had a snapshot more, of a message that was changed before it.
    const most = named.type === "REPLY_START" ? 1 : 0;
    if (named.reply_id !== undefined && partsBehind() > most) return null;
    this.#pass(frames.filter((frame) => this.#isSeen(frame)));
    return this.#encodeUnseen(frames);
  }

  /**
   * Replays the conversation before a reply: its snapshot is part of the reply's first frames, for every reader. A
   * transcript may have brought thousands of messages since the last reply.
   */
  async #replayUpTo(upTo: number, isLeft: () => boolean): Promise<void> {
    this.#isAhead = false;
    this.#history.isUnseen = true;
    const beginning = findBeginning(this.#session, upTo);
    let unrested = 0;
    for (const { events, characters } of eventPagesBetween(this.#session, beginning, upTo)) {
      for (const event of events) this.#translator.push(event);
      unrested += characters + events.length * EVENT_ENVELOPE_CHARACTERS;
      if (unrested <= LARGE_VALUE_CHARACTERS) continue;
      unrested = 0;
      await timeSlice();
      if (isLeft()) return;
    }
    this.#history.isUnseen = false;
  }

  #showConversation(): readonly AgUiEvent[] {
    const shown = showConversation(this.#session);
    return shown.flatMap((event) => eventInProfile(this.#profile, event) ?? []);
  }

  #pass(frames: readonly AgUiFrame[]): void {
    for (const { event } of frames) this.#window?.pass(event);
  }

  #encodeUnseen(frames: readonly AgUiFrame[]): readonly TextPiece[] {
    return frames.flatMap((frame) => (this.#isSeen(frame) ? [] : this.#encode(frame)));
  }

  #markSeen(frames: readonly AgUiFrame[]): void {
    this.#seen = frames.at(-1) ?? this.#seen;
  }

  #isSeen({ seq, k }: Place): boolean {
    return seq < this.#seen.seq || (seq === this.#seen.seq && k <= this.#seen.k);
  }

  #encode({ seq, k, event }: AgUiFrame): readonly TextPiece[] {
    const shown = this.#window ? this.#window.take(event) : event;
    if (!shown) return [];
    const id = writeId(seq, k);
    switch (shown.type) {
      case "MESSAGES_SNAPSHOT":
        return [this.#withConversation(id, shown)];
      case "RUN_STARTED":
        return [() => startedFrame(id, shown)];
      default:
        return [encodeFrame(id, shown.type, JSON.stringify(shown))];
    }
  }

  /** A snapshot with the messages from before its reply, or with all messages when no reply has begun. */
  #withConversation(id: string, snapshot: MessagesSnapshot): TextPiece {
    const { messages, replies } = this.#session.tables;
    const { replyId } = this.#translator;
    const upTo = replyId === null ? this.#seen.seq : (replies.find(replyId)?.start_cursor ?? 0);
    const earlier = (room: number) =>
      storedMessages(messages, {
        after: messages.startOf(upTo, room),
        upTo,
        shown: (message) => messageInProfile(this.#profile, message),
      });
    return () => snapshotFrame({ id, snapshot, earlier, maxCharacters: MAX_SHOWN_CHARACTERS });
  }
}
