// A session's log as the events of AG-UI 1.0. Pure: what an event becomes follows from the log before it.
import type { AgentEvent, EventOf, LoggedEvent } from "../../events.ts";
import type { Msg } from "../../messages/messages.ts";
import type { AgUiEvent, AgUiFrame } from "./wire/events.ts";
import type { AgUiHistory } from "./history.ts";
import { toAgUiMessages } from "./wire/messages.ts";
import { withRaw } from "./with-raw.ts";
import { ReplyTranslation } from "./reply-translation.ts";
import { SaidMessages } from "./wire/said-messages.ts";

const MESSAGE_ADDED = "message_added";

type OutsideEvent = LoggedEvent & EventOf<"CUSTOM">;

export interface AgUiOptions {
  /** Each event of the log that falls into a run goes along, as `RAW`. */
  readonly isRaw?: boolean;
  /** False for a reader whose answers may not change the input of a call. */
  readonly mayEdit?: boolean;
}

/**
 * Begins before a `REPLY_START`, or before the `message_added` that go with it, and sees every event from there on, also
 * those of no reply.
 */
export class AgUiTranslator {
  readonly #history: AgUiHistory;
  readonly #isRaw: boolean;
  readonly #mayEdit: boolean;
  #reply: ReplyTranslation | null = null;
  /** For the next run's input. */
  readonly #said = new SaidMessages();
  /** Events of no reply that came while it was open whether the run had ended. */
  #held: OutsideEvent[] = [];
  /** Where the next frame stands when no further event brings it. */
  #place = { seq: 0, k: 1 };

  constructor(history: AgUiHistory, { isRaw = false, mayEdit = true }: AgUiOptions = {}) {
    this.#history = history;
    this.#isRaw = isRaw;
    this.#mayEdit = mayEdit;
  }

  /** The reply whose events it has seen from the first on; null before any. */
  get replyId(): string | null {
    return this.#reply?.id ?? null;
  }

  push(event: LoggedEvent): readonly AgUiFrame[] {
    const reply = this.#reply;
    const isOwn = reply !== null && isOf(event, reply);
    if (reply?.mayBeParked === true && !isOwn && event.type !== "REPLY_START") {
      // Told now, it would stand behind the end of the run for those who saw it wait.
      if (isOutside(event)) this.#held.push(event);
      return [];
    }
    // Its place is that of the event after which the reply waited, so that it is the same for those who saw it wait.
    const late = this.#framesOf(isOwn ? reply.restBefore(event) : []);
    const isInRun = reply?.end === null;
    const held = this.#held;
    const told = held.length > 0 ? this.#tellHeld() : [];
    const translated = this.#translate(event);
    const frames = placed(told.length > 0 ? [...told, ...translated] : translated, event);
    this.#place = { seq: event.seq, k: frames.length + 1 };
    const shown = this.#isRaw
      ? withRaw(frames, isInRun ? [...held, event] : [event], isInRun)
      : frames;
    return late.length === 0 ? shown : [...late, ...shown];
  }

  /**
   * Nothing follows for now: the stream has ended, or is silent. If calls wait, that is now told; whether a reply waits
   * for them or is about to start others cannot always be seen before.
   */
  rest(): readonly AgUiFrame[] {
    const frames = this.#framesOf(this.#reply?.rest() ?? []);
    if (frames.length > 0) this.#tellHeld();
    return frames;
  }

  /**
   * What a client that has seen nothing needs in front of the frames that follow: the run, the state and the messages
   * as they are now, and what is open. Of a reply that has ended, or waits, how.
   */
  join(): readonly AgUiEvent[] {
    return this.#reply?.show(this.#said.all) ?? [];
  }

  /** Frames at the place behind the last one. */
  #framesOf(events: readonly AgUiEvent[]): readonly AgUiFrame[] {
    if (events.length === 0) return [];
    const { seq, k } = this.#place;
    this.#place = { seq, k: k + events.length };
    return events.map((event, index) => ({ seq, k: k + index, event }));
  }

  #translate(event: LoggedEvent): readonly AgUiEvent[] {
    if (event.type === "REPLY_START") return this.#start(event);
    if (isOutside(event)) return this.#outside(event);
    const reply = this.#reply;
    if (!reply || reply.isOver || !isOf(event, reply)) return [];
    const started = reply.end === null ? [] : this.#begin(reply, event);
    const told = reply.push(event);
    return started.length === 0 ? told : [...started, ...told];
  }

  #start(event: EventOf<"REPLY_START">): readonly AgUiEvent[] {
    if (this.#reply && isOf(event, this.#reply)) return [];
    const abandoned = this.#reply?.abandon() ?? [];
    this.#reply = new ReplyTranslation(event, this.#history, this.#mayEdit);
    return [...abandoned, ...this.#begin(this.#reply, event)];
  }

  #begin(reply: ReplyTranslation, event: AgentEvent): readonly AgUiEvent[] {
    const said = this.#said.all.flatMap(toAgUiMessages);
    this.#said.clear();
    return reply.begin(event, said);
  }

  #tellHeld(): readonly AgUiEvent[] {
    const held = this.#held;
    this.#held = [];
    return held.flatMap((event) => this.#outside(event));
  }

  #outside(event: EventOf<"CUSTOM">): readonly AgUiEvent[] {
    if (event.name === MESSAGE_ADDED) {
      // The log's own word for it, which nobody else can write.
      this.#said.add(event.value["message"] as Msg);
      return [];
    }
    return this.#reply?.pushOutside(event) ?? [];
  }
}

/** As the frames of an event of the log, with its time. */
function placed(translated: readonly AgUiEvent[], event: LoggedEvent): readonly AgUiFrame[] {
  const { seq, type, created_at } = event;
  const timestamp = type.endsWith("_DELTA") ? Number.NaN : Date.parse(created_at);
  const isTimed = Number.isSafeInteger(timestamp);
  return translated.map((each, index) => ({
    seq,
    k: index + 1,
    event: isTimed ? { ...each, timestamp } : each,
  }));
}

/** Of no reply. */
function isOutside(event: LoggedEvent): event is OutsideEvent {
  return event.type === "CUSTOM" && event.reply_id === undefined;
}

function isOf(event: AgentEvent, { id }: ReplyTranslation): boolean {
  return event.reply_id === id;
}
