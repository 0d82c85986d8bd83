// Translates a room's log into AG-UI events: a run a round, a lane a turn. Pure: the output depends on the log and the options
// alone.
import { NEWEST_PROFILE, type AgUiProfile } from "../../../ag-ui/ag-ui-profile.ts";
import type { LoggedEvent } from "../../../events.ts";
import {
  participantOf,
  ROOM_DISCUSSION_ENDED,
  ROOM_DISCUSSION_STARTED,
  ROOM_INPUT_REQUIRED,
  ROOM_MESSAGE_ADDED,
  ROOM_ROUND_STARTED,
  ROOM_TURN_ENDED,
  ROOM_TURN_STARTED,
  roomEventOf,
  TEAM_UPDATED,
  TURN_ID,
  type DiscussionEnd,
  type RoomEvent,
  type RoomInputRequiredValue,
  type RoomRoundStartedValue,
} from "../../../rooms/events.ts";
import type { AgUiOptions } from "../ag-ui-translator.ts";
import { messagesSnapshot } from "../messages-snapshot.ts";
import { eventInProfile } from "../profile.ts";
import type { AgUiEvent, AgUiFrame, AgUiOutcome } from "../wire/events.ts";
import { toAgUiMessages, type AgUiMessage } from "../wire/messages.ts";
import { MessageOrder } from "./message-order.ts";
import { interruptOfPerson, RoomRun } from "./room-run.ts";
import { SpeakerBuffer, type RoomTold } from "./speaker-buffer.ts";
import { TurnLane } from "./turn-lane.ts";

export type RoomAgUiOptions = Pick<AgUiOptions, "mayEdit" | "mustSendHash" | "profile">;

/**
 * Must be given every event of the room from a `room_discussion_started`, or from the messages before it. A stream that sends a
 * `MESSAGES_SNAPSHOT` puts what was said before that in front (`toRoomMessages`).
 */
export class RoomAgUiTranslator {
  readonly #roomId: string;
  readonly #reader: Pick<AgUiOptions, "mayEdit" | "mustSendHash">;
  readonly #profile: AgUiProfile;
  readonly #buffer: SpeakerBuffer | null;
  /** The newest run; null before the first, and while what was added waits for the next one. */
  #run: RoomRun | null = null;
  #end: AgUiEvent | null = null;
  #discussion = 0;
  #round = 0;
  /** Turns of the discussion, in the order in which they began. */
  readonly #lanes = new Map<string, TurnLane>();
  /** Turns without a lane: of people, with what they were asked, and of agents whose reply has not begun. */
  readonly #unbegun = new Map<string, RoomInputRequiredValue | null>();
  /** Participants of a round at once who have not begun. */
  #expected: readonly string[] = [];
  readonly #models = new Map<string, string>();
  /** Messages of people since the discussion began, and those that no run has had as its input. */
  #said: AgUiMessage[] = [];
  #added: AgUiMessage[] = [];
  readonly #order = new MessageOrder();

  constructor(roomId: string, options: RoomAgUiOptions = {}) {
    const { mayEdit = true, mustSendHash = false, profile = NEWEST_PROFILE } = options;
    this.#roomId = roomId;
    this.#reader = { mayEdit, mustSendHash };
    this.#profile = profile;
    this.#buffer = profile === NEWEST_PROFILE ? null : new SpeakerBuffer();
  }

  push(event: LoggedEvent): readonly AgUiFrame[] {
    const own = roomEventOf(event);
    const told = own ? this.#ofRoom(own, event) : this.#ofParticipant(event);
    for (const { event: each } of told) if (each !== "held") this.#order.note(each);
    return placed(this.#write([...told, ...this.#suspend()]), event);
  }

  /** The events for a reader that joins now; nothing before the first run. */
  join(): readonly AgUiEvent[] {
    if (!this.#run) return [];
    const begun = [this.#run.started([]), this.#snapshot()];
    if (this.#buffer) {
      const shown = this.#buffer.join([...begun], (id) => this.#lanes.get(id)?.reopen() ?? []);
      return [...shown, ...(this.#end ? [this.#end] : [])].flatMap(
        (event) => eventInProfile(this.#profile, event) ?? [],
      );
    }
    if (this.#end) return [...begun, this.#end];
    const open = [...this.#run.open];
    const run = this.#run;
    const lanes = open.flatMap((lane): AgUiEvent[] => {
      const { id: subagentRunId, name } = lane.speaker;
      return [{ type: "SUBAGENT_STARTED", subagentRunId, name }, ...run.calledOf(lane)];
    });
    return [...begun, ...lanes, ...open.flatMap((lane) => lane.reopen())];
  }

  #ofRoom(own: RoomEvent, event: LoggedEvent): readonly RoomTold[] {
    switch (own.name) {
      case ROOM_MESSAGE_ADDED: {
        const messages = toAgUiMessages(own.value.message);
        this.#said.push(...messages);
        this.#added.push(...messages);
        if (own.value.turn_id !== null) this.#unbegun.delete(own.value.turn_id);
        return this.#custom(own);
      }
      case ROOM_DISCUSSION_STARTED:
        this.#discussion = own.value.discussion;
        this.#round = 0;
        this.#forget();
        return [];
      case ROOM_ROUND_STARTED:
        return this.#beginRound(own.value, own);
      case ROOM_TURN_STARTED: {
        const { turn_id, participant } = own.value;
        this.#expected = this.#expected.filter((name) => name !== participant);
        const begun = this.#begin();
        this.#unbegun.set(turn_id, null);
        return [...begun, ...this.#custom(own)];
      }
      case ROOM_INPUT_REQUIRED:
        this.#unbegun.set(own.value.turn_id, own.value);
        return this.#custom(own);
      case ROOM_TURN_ENDED: {
        const { turn_id, reason } = own.value;
        this.#unbegun.delete(turn_id);
        const lane = this.#lanes.get(turn_id);
        const ended = lane ? this.#tell(lane, lane.stop(event, reason)) : [];
        return [...ended, ...this.#custom(own)];
      }
      case TEAM_UPDATED: {
        const { left } = own.value;
        this.#expected = this.#expected.filter((name) => !left.includes(name));
        return this.#custom(own);
      }
      case ROOM_DISCUSSION_ENDED:
        return this.#endDiscussion(own.value.reason, own);
      default:
        return this.#custom(own);
    }
  }

  #ofParticipant(event: LoggedEvent): readonly RoomTold[] {
    if (event.type === "REPLY_START") {
      const turnId = event.metadata[TURN_ID];
      const name = participantOf(event);
      if (typeof turnId !== "string" || name === null || !this.#unbegun.delete(turnId)) return [];
      const lane = new TurnLane({ id: turnId, name }, this.#reader);
      this.#lanes.set(turnId, lane);
      return this.#tell(lane, lane.push(event), true);
    }
    const lane = [...this.#lanes.values()].find((one) => one.isOf(event));
    if (!lane) return [];
    const wasHeld = lane.isHeld;
    const told = this.#tell(lane, lane.push(event), wasHeld && !lane.isHeld);
    this.#count(event);
    return told;
  }

  #count(event: LoggedEvent): void {
    if (event.type === "MODEL_CALL_START") this.#models.set(event.reply_id, event.model_name);
    if (event.type !== "MODEL_CALL_END") return;
    this.#run?.count(this.#models.get(event.reply_id) ?? "unknown", event);
  }

  /** @param mustShow Also when nothing is told: the turn begins, or goes on. */
  #tell(lane: TurnLane, told: readonly AgUiEvent[], mustShow = false): readonly RoomTold[] {
    const { id } = lane.speaker;
    const isOpen = this.#end === null && this.#run?.open.has(lane) === true;
    const isOver = lane.end !== undefined;
    if (told.length === 0 && !mustShow && !(isOver && isOpen) && !lane.isHeld) return [];
    // A turn that has ended while nothing ran is a part of the next snapshot.
    if (this.#end !== null && told.length === 0 && (isOver || lane.isHeld)) return [];
    const begun = this.#begin();
    const run = this.#run;
    if (!run) return [];
    const ofLane = (event: AgUiEvent): RoomTold => ({ lane: id, event });
    const opened = run.openLane(lane).map(ofLane);
    const events = told.flatMap((event): readonly RoomTold[] =>
      event.type === "MESSAGES_SNAPSHOT"
        ? [{ lane: null, event: this.#snapshot(lane, event) }]
        : run.toldOfCalled(lane, event).map(ofLane),
    );
    const closed = isOver ? run.closeLane(lane).map(ofLane) : [];
    const held: readonly RoomTold[] = lane.isHeld ? [{ lane: id, event: "held" }] : [];
    return [...begun, ...opened, ...events, ...closed, ...held];
  }

  #beginRound(
    { round, order, participants }: RoomRoundStartedValue,
    own: RoomEvent,
  ): readonly RoomTold[] {
    const ended = this.#finish({ type: "success" });
    this.#round = round;
    this.#expected = order === "parallel" ? participants : [];
    return [...ended, ...this.#begin(), ...this.#custom(own)];
  }

  #endDiscussion(reason: DiscussionEnd, own: RoomEvent): readonly RoomTold[] {
    // A discussion without a turn has a run, too: its reader would wait for one.
    const begun = this.#run && this.#end === null ? [] : this.#begin();
    const outcome: AgUiOutcome = { type: reason === "interrupted" ? "cancelled" : "success" };
    return [...begun, ...this.#custom(own), ...this.#finish(outcome, { reason })];
  }

  /** Begins a run unless one is open. */
  #begin(): readonly RoomTold[] {
    if (this.#run && this.#end === null) return [];
    const runId = `${this.#roomId}:${this.#discussion}:${this.#round}`;
    this.#run = new RoomRun({ threadId: this.#roomId, runId });
    this.#end = null;
    const added = this.#added;
    this.#added = [];
    return [{ lane: null, event: this.#run.started(added) }];
  }

  #finish(outcome: AgUiOutcome, result: unknown = null): readonly RoomTold[] {
    const run = this.#run;
    if (!run || this.#end !== null) return [];
    const closed = [...run.open].flatMap((lane) =>
      run.closeLane(lane).map((event): RoomTold => ({ lane: lane.speaker.id, event })),
    );
    this.#end = run.finished(outcome, result);
    return [...closed, { lane: null, event: this.#end }];
  }

  /** Ends the run when all that is open waits for people. */
  #suspend(): readonly RoomTold[] {
    const run = this.#run;
    if (!run || this.#end !== null || this.#expected.length > 0) return [];
    const lanes = [...this.#lanes.values()].filter(({ end }) => end === undefined);
    const others = [...this.#unbegun.values()];
    const isWaiting =
      lanes.every(({ isHeld }) => isHeld) && others.every((asked) => asked !== null);
    if (!isWaiting || lanes.length + others.length === 0) return [];
    const interrupts = [
      ...lanes.flatMap((lane) => lane.interrupts),
      ...others.flatMap((asked) => (asked ? [interruptOfPerson(asked)] : [])),
    ];
    const opened = lanes.flatMap((lane) =>
      [...run.openLane(lane), ...run.openAsking(lane)].map((event): RoomTold => {
        return { lane: lane.speaker.id, event };
      }),
    );
    const [end, ...closed] = [...this.#finish({ type: "interrupt", interrupts })].reverse();
    const snapshot: RoomTold = { lane: null, event: this.#snapshot() };
    return [...opened, ...closed.reverse(), snapshot, ...(end ? [end] : [])];
  }

  #custom({ name, value }: RoomEvent): readonly RoomTold[] {
    if (!this.#run || this.#end !== null) return [];
    return [{ lane: null, event: { type: "CUSTOM", name, value: { ...value } } }];
  }

  /** @param changed A turn of which the snapshot is, with the messages of it. */
  #snapshot(
    changed?: TurnLane,
    event?: Extract<AgUiEvent, { type: "MESSAGES_SNAPSHOT" }>,
  ): AgUiEvent {
    const ofTurns = [...this.#lanes.values()].flatMap((lane) =>
      lane === changed && event ? event.messages : lane.messages,
    );
    return messagesSnapshot(this.#order.sorted([...this.#said, ...ofTurns]));
  }

  #write(told: readonly RoomTold[]): readonly AgUiEvent[] {
    if (!this.#buffer) return told.flatMap(({ event }) => (event === "held" ? [] : [event]));
    const events = this.#buffer.take(told, () => this.#snapshot());
    return events.flatMap((event) => eventInProfile(this.#profile, event) ?? []);
  }

  /** Turns of another discussion are in the part of the conversation that the stream puts in front. */
  #forget(): void {
    this.#lanes.clear();
    this.#unbegun.clear();
    this.#expected = [];
    this.#said = [...this.#added];
  }
}

/** The frames of one log event, with its time. */
function placed(
  events: readonly AgUiEvent[],
  { seq, type, created_at }: LoggedEvent,
): readonly AgUiFrame[] {
  const timestamp = type.endsWith("_DELTA") ? Number.NaN : Date.parse(created_at);
  const isTimed = Number.isSafeInteger(timestamp);
  return events.map((event, index) => ({
    seq,
    k: index + 1,
    event: isTimed ? { ...event, timestamp } : event,
  }));
}
