// Translates a session's event log into AG-UI events. Pure: the output depends on the log and the options alone.
import { NEWEST_PROFILE, type AgUiProfile } from "../../ag-ui/ag-ui-profile.ts";
import { SUBAGENT_EVENT } from "../../agents/events.ts";
import type { AgentEvent, EventOf, LoggedEvent } from "../../events.ts";
import type { Msg } from "../../messages/messages.ts";
import { TOLD_BY } from "../../told/events.ts";
import { MAX_HELD_TOLD_CHARACTERS } from "../../told/limits.ts";
import { sessionRestoredOf, type SessionRestoredValue } from "../../sessions/events.ts";
import { SPEECH_KEPT, SPEECH_SAID, speechChangeOf } from "../../voice/events.ts";
import type { AgUiEvent, AgUiFrame } from "./wire/events.ts";
import type { AgUiHistory } from "./history.ts";
import { toAgUiMessages } from "./wire/messages.ts";
import { eventInProfile, framesInProfile } from "./profile.ts";
import { withRaw } from "./with-raw.ts";
import { ReplyTranslation } from "./reply-translation.ts";
import { AddedMessages } from "./wire/added-messages.ts";

const MESSAGE_ADDED = "message_added";

type OutsideEvent = LoggedEvent & EventOf<"CUSTOM">;

export interface AgUiOptions {
  /** Adds each log event that falls within a run, as `RAW`. */
  readonly isRaw?: boolean;
  /** Gives each event that a log event causes that event as its `rawEvent`. */
  readonly hasRawMembers?: boolean;
  /** False for a reader that may not edit the inputs of calls when it answers. */
  readonly mayEdit?: boolean;
  /** True for a reader whose answers must contain the hash of the input that they are about. */
  readonly mustSendHash?: boolean;
  /** The version of AG-UI that the reader speaks; the newest one by default. */
  readonly profile?: AgUiProfile;
}

/**
 * Must be given every event of the session, also those that belong to no reply, from a `REPLY_START` or from the
 * `message_added` events before it.
 */
export class AgUiTranslator {
  readonly #history: AgUiHistory;
  readonly #isRaw: boolean;
  readonly #hasRawMembers: boolean;
  readonly #reader: Required<Pick<AgUiOptions, "mayEdit" | "mustSendHash">>;
  readonly #profile: AgUiProfile;
  #reply: ReplyTranslation | null = null;
  /** Messages added since the last run began: the input of the next run. */
  readonly #added = new AddedMessages();
  /** Events of no reply that arrived while it was undecided whether the run had ended. */
  #held: OutsideEvent[] = [];
  /** UTF-16 units of those that services have told, as JSON. */
  #heldCharacters = 0;
  /** A message that readers have was changed between two runs: the next one begins with a snapshot. */
  #isChanged = false;
  /** Messages of a restore that are still to come: they are in the snapshot. */
  #restoring = 0;
  /** Position of the next frame that no further log event causes. */
  #place = { seq: 0, k: 1 };

  constructor(history: AgUiHistory, options: AgUiOptions = {}) {
    const { isRaw = false, mayEdit = true, mustSendHash = false, profile } = options;
    this.#history = history;
    this.#isRaw = isRaw;
    this.#hasRawMembers = options.hasRawMembers ?? false;
    this.#reader = { mayEdit, mustSendHash };
    this.#profile = profile ?? NEWEST_PROFILE;
  }

  /** The current reply, whose events were translated from its start; null before the first. */
  get replyId(): string | null {
    return this.#reply?.id ?? null;
  }

  push(event: LoggedEvent): readonly AgUiFrame[] {
    const reply = this.#reply;
    const isOwn = reply !== null && isOf(event, reply) && !isOutside(event);
    if (reply?.mayBeParked === true && !isOwn && event.type !== "REPLY_START") {
      // Held back: readers that saw the run end at this point would get this event after its end.
      if (isOutside(event) && this.#hasRoomFor(event)) this.#held.push(event);
      return [];
    }
    // Positioned after the event at which the reply began to wait, so that live readers and replays get the same
    // positions.
    const late = this.#framesOf(isOwn ? reply.flushBefore(event) : []);
    const isInRun = reply?.end === null;
    const held = this.#held;
    const told = held.length > 0 ? this.#translateHeld() : [];
    const translated = this.#told(event, this.#translate(event));
    const all = placed(told.length > 0 ? [...told, ...translated] : translated, event);
    this.#place = { seq: event.seq, k: all.length + 1 };
    const frames = framesInProfile(this.#profile, all);
    const shown = this.#isRaw
      ? withRaw(frames, isInRun ? [...held, event] : [event], isInRun)
      : frames;
    return late.length === 0 ? shown : [...late, ...shown];
  }

  /**
   * Call when no event follows for now, because the stream has ended or is idle: if calls wait, the run then ends with
   * an interrupt. Before that it may be undecided whether the reply waits or starts further calls.
   */
  flush(): readonly AgUiFrame[] {
    const frames = this.#framesOf(this.#reply?.flush() ?? []);
    if (frames.length > 0) this.#translateHeld();
    return frames;
  }

  /**
   * The events for a client that joins now: the run, the current state and messages, and whatever is still open; or how
   * the reply ended or why it waits.
   */
  join(): readonly AgUiEvent[] {
    const shown = this.#reply?.show(this.#added.all) ?? [];
    return shown.flatMap((event) => eventInProfile(this.#profile, event) ?? []);
  }

  /** Frames at the position after the last one. */
  #framesOf(events: readonly AgUiEvent[]): readonly AgUiFrame[] {
    if (events.length === 0) return [];
    const { seq, k } = this.#place;
    this.#place = { seq, k: k + events.length };
    const frames = events.map((event, index) => ({ seq, k: k + index, event }));
    return framesInProfile(this.#profile, frames);
  }

  #translate(event: LoggedEvent): readonly AgUiEvent[] {
    if (event.type === "REPLY_START") return this.#start(event);
    if (isOutside(event)) return this.#outside(event);
    const reply = this.#reply;
    if (!reply || reply.isOver || !isOf(event, reply)) return [];
    if (reply.end !== null && reply.sleepsThrough(event)) return [];
    const started = reply.end === null ? [] : this.#begin(reply, event);
    const told = reply.push(event);
    return started.length === 0 ? told : [...started, ...told];
  }

  #start(event: EventOf<"REPLY_START">): readonly AgUiEvent[] {
    if (this.#reply && isOf(event, this.#reply)) return [];
    const abandoned = this.#reply?.abandon() ?? [];
    this.#reply = new ReplyTranslation(event, this.#history, this.#reader);
    return [...abandoned, ...this.#begin(this.#reply, event)];
  }

  #begin(reply: ReplyTranslation, event: AgentEvent): readonly AgUiEvent[] {
    const added = this.#added.all.flatMap(toAgUiMessages);
    this.#added.clear();
    const begun = reply.begin(event, added);
    if (!this.#isChanged) return begun;
    this.#isChanged = false;
    return [...begun, reply.snapshot()];
  }

  /** Room for one more: of what services tell only so much is held, since a reply may wait for days. */
  #hasRoomFor(event: OutsideEvent): boolean {
    if (event.metadata[TOLD_BY] === undefined) return true;
    this.#heldCharacters += JSON.stringify(event).length;
    return this.#heldCharacters <= MAX_HELD_TOLD_CHARACTERS;
  }

  #translateHeld(): readonly AgUiEvent[] {
    const held = this.#held;
    this.#held = [];
    this.#heldCharacters = 0;
    return held.flatMap((event) => this.#told(event, this.#outside(event)));
  }

  /** No run is open. The next one begins with the conversation as it is then, and does not go on from an earlier reply. */
  #restore({ added_messages }: SessionRestoredValue): readonly AgUiEvent[] {
    this.#reply = null;
    this.#added.clear();
    this.#isChanged = true;
    this.#restoring = added_messages;
    return [];
  }

  #told(event: LoggedEvent, translated: readonly AgUiEvent[]): readonly AgUiEvent[] {
    if (!this.#hasRawMembers) return translated;
    // A batch of a called agent's events is many frames, the first of which is enough to have it.
    const isBatch = event.type === "CUSTOM" && event.name === SUBAGENT_EVENT;
    return translated.map((each, index) =>
      isBatch && index > 0 ? each : { ...each, rawEvent: event },
    );
  }

  #outside(event: EventOf<"CUSTOM">): readonly AgUiEvent[] {
    const restored = sessionRestoredOf(event);
    if (restored) return this.#restore(restored);
    if (event.name === MESSAGE_ADDED && this.#restoring > 0) {
      this.#restoring -= 1;
      return [];
    }
    if (event.name === MESSAGE_ADDED) {
      // `message_added` is written by the platform only, so its shape is known.
      this.#added.add(event.value["message"] as Msg);
      return [];
    }
    const reply = this.#reply;
    const told = reply?.pushOutside(event) ?? [];
    const speech = speechChangeOf(event);
    if (!speech || this.#added.change(speech)) return told;
    // Messages of AG-UI have no place for it.
    if (speech.name === SPEECH_KEPT || speech.name === SPEECH_SAID) return told;
    // A message that readers have: a snapshot in the open run, else at the beginning of the next.
    if (reply?.end === null) return [...told, reply.snapshot()];
    this.#isChanged = true;
    return told;
  }
}

/** The frames of one log event, with its time. */
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

/** An event that belongs to no reply, or changes a message whichever reply is the newest. */
function isOutside(event: LoggedEvent): event is OutsideEvent {
  if (event.type !== "CUSTOM") return false;
  return event.reply_id === undefined || speechChangeOf(event) !== null;
}

function isOf(event: AgentEvent, { id }: ReplyTranslation): boolean {
  return event.reply_id === id;
}
