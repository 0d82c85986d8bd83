// A room without an object: its log, and sessions that do as a script says. Everything that the object decides is left to the test:
// what is committed at once, what is repeated, and where the machine is lost.
import type { AgentEvent, EventDraft, LoggedEvent } from "../../../protocol/events.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { UserMsg } from "../../../protocol/messages/constructors.ts";
import { foldEvents } from "../../../protocol/fold/append-event.ts";
import {
  PARTICIPANT,
  ROOM_DELIVERED,
  ROOM_MESSAGE_ADDED,
  ROOM_SPEAKER,
  ROOM_UPDATED,
  roomEvent,
  roomEventOf,
  TEAM_UPDATED,
  TURN_ID,
  type RoomEvent,
  type RoomMessageValue,
  type RoomSettings,
  type TeamMember,
  type TeamUpdatedValue,
} from "../../../protocol/rooms/events.ts";
import { advanceRoom } from "../../../agent/rooms/advance-room.ts";
import { heardMessage } from "../../../agent/rooms/heard-message.ts";
import { nextSteps } from "../../../agent/rooms/next-steps.ts";
import { EMPTY_ROOM, type RoomState } from "../../../agent/rooms/room-state.ts";
import type { CommittedStep, OutsideStep, RoomStep } from "../../../agent/rooms/room-step.ts";
import { stepEvents } from "../../../agent/rooms/step-events.ts";
import { PlaySession, type Script } from "./play-session.ts";

export const START_MS = Date.parse("2026-11-30T09:00:00.000Z");

export function agent(name: string): TeamMember {
  return {
    name,
    kind: "agent",
    agent_id: `agt_${name}`,
    agent_version: 1,
    session_id: `ses_${name}`,
  };
}

export function person(
  name: string,
  awaited = false,
  input_timeout_ms: number | null = null,
): TeamMember {
  return { name, kind: "person", awaited, form: null, input_timeout_ms };
}

export interface PlaySetup {
  readonly members: readonly TeamMember[];
  readonly settings?: Partial<RoomSettings>;
  readonly announcement?: string;
  readonly script?: Script;
}

export class RoomPlay {
  readonly log: LoggedEvent[] = [];
  readonly sessions = new Map<string, PlaySession>();
  state: RoomState = EMPTY_ROOM;
  nowMs = START_MS;
  readonly #script: Script;
  #ids = 0;

  constructor({ members, settings = {}, announcement, script = () => ({}) }: PlaySetup) {
    this.#script = script;
    this.commit([roomEvent(ROOM_UPDATED, { ...EMPTY_ROOM.settings, ...settings })]);
    this.team({
      members,
      moderator:
        settings.order === "moderated"
          ? {
              ...agent("moderator"),
              kind: "agent",
              agent_id: "a",
              agent_version: 1,
              session_id: "s",
            }
          : null,
      joined: members.map(({ name }) => ({ name, hears_from: 0 })),
      left: [],
    });
    if (announcement !== undefined) {
      this.say(ROOM_SPEAKER, announcement, { participant: null, announces: true });
    }
  }

  team(value: TeamUpdatedValue): void {
    this.commit([roomEvent(TEAM_UPDATED, value)]);
    const named = [...value.members, ...(value.moderator ? [value.moderator] : [])];
    for (const member of named) {
      const isNew =
        value.joined.some(({ name }) => name === member.name) || member === value.moderator;
      if (member.kind !== "agent" || !isNew) continue;
      this.sessions.set(member.name, new PlaySession(member.name, this.#script));
    }
  }

  /** A message of a person. */
  say(speaker: string, text: string, more: Partial<RoomMessageValue> = {}): string {
    const id = `msg_${(this.#ids += 1)}`;
    const at = new Date(this.nowMs).toISOString();
    const message = UserMsg(speaker, [{ type: "text", text, id: `${id}_t`, created_at: at }], {
      id,
      created_at: at,
    });
    const value: RoomMessageValue = {
      message,
      participant: speaker,
      mentions: [],
      turn_id: null,
      interrupts: false,
      announces: false,
      ...more,
    };
    this.commit([roomEvent(ROOM_MESSAGE_ADDED, value, value.participant)]);
    return id;
  }

  commit(drafts: readonly (EventDraft | AgentEvent)[]): void {
    for (const draft of drafts) {
      const seq = this.log.length + 1;
      const event = {
        id: `evt_${seq}`,
        created_at: new Date(this.nowMs).toISOString(),
        metadata: {},
        ...draft,
        seq,
      } as LoggedEvent;
      this.log.push(event);
      this.state = advanceRoom(this.state, event);
    }
  }

  get steps(): readonly RoomStep[] {
    return nextSteps(this.state, this.nowMs);
  }

  /** The room's machine is lost: all that is left of it is the log. */
  crash(): void {
    this.state = this.log.reduce(advanceRoom, EMPTY_ROOM);
  }

  /** Commits one step as one commit. */
  take(step: CommittedStep): void {
    const messageOf = (replyId: string): Msg | null =>
      foldEvents(this.log.filter((event) => event.reply_id === replyId));
    const newTurnId = (): string => `trn_${(this.#ids += 1)}`;
    this.commit(stepEvents(step, this.state, { newTurnId, nowMs: this.nowMs, messageOf }));
  }

  /** Does what a step asks of a session. @param isNoted Whether the room lives on to note it. */
  perform(step: OutsideStep, isNoted = true): void {
    const session = this.sessions.get(step.participant);
    if (!session) return;
    if (step.type === "stop_reply") return session.stop(step.reply_id);
    const messages = this.heardBetween(step);
    if (step.type === "run_turn") return session.run(step.turn_id, messages);
    if (!session.deliver(messages) || !isNoted) return;
    const { participant, hears_to } = step;
    this.commit([roomEvent(ROOM_DELIVERED, { participant, hears_to }, participant)]);
  }

  /** Copies the next event of a session's log, once. */
  copy(name: string): boolean {
    const session = this.sessions.get(name);
    const event = session?.log[session.copied];
    if (!session || !event) return false;
    session.copied += 1;
    const { seq: _, ...rest } = event;
    const turn = event.type === "REPLY_START" && { [TURN_ID]: session.turnOf(event.reply_id) };
    this.commit([{ ...rest, metadata: { ...event.metadata, [PARTICIPANT]: name, ...turn } }]);
    return true;
  }

  /** All that everybody has said, in the order of the room. */
  get said(): readonly { readonly seq: number; readonly speaker: string; readonly message: Msg }[] {
    return this.log.flatMap((event) => {
      const own = roomEventOf(event);
      if (own?.name === ROOM_MESSAGE_ADDED) {
        const { participant, message } = own.value;
        return [{ seq: event.seq, speaker: participant ?? ROOM_SPEAKER, message }];
      }
      const speaker = event.metadata[PARTICIPANT];
      if (event.type !== "REPLY_END" || typeof speaker !== "string" || speaker === "moderator") {
        return [];
      }
      const message = foldEvents(this.log.filter(({ reply_id }) => reply_id === event.reply_id));
      return message ? [{ seq: event.seq, speaker, message }] : [];
    });
  }

  heardBetween({
    participant,
    hears_from,
    hears_to,
  }: {
    readonly participant: string;
    readonly hears_from: number;
    readonly hears_to: number;
  }): readonly Msg[] {
    return this.said.flatMap(({ seq, speaker, message }) => {
      if (speaker === participant || seq <= hears_from || seq > hears_to) return [];
      const heard = heardMessage(message, speaker);
      return heard ? [heard] : [];
    });
  }

  /** Does the first thing that is due. @returns whether there was one. */
  stepOnce(): boolean {
    const step = this.steps.find((due) => !this.isIdle(due));
    if (step) {
      if (isOutside(step)) this.perform(step);
      else this.take(step);
      return true;
    }
    return [...this.sessions].some(([name, session]) => this.copy(name) || session.advance());
  }

  /** Does everything that is due until only people or time could change something. */
  settle(limit = 5_000): void {
    for (let count = 0; count < limit; count += 1) if (!this.stepOnce()) return;
    throw new Error("the room does not come to rest");
  }

  /** Whether repeating the step changes nothing. */
  isIdle(step: RoomStep): boolean {
    const session = isOutside(step) ? this.sessions.get(step.participant) : undefined;
    if (!isOutside(step) || !session) return isOutside(step);
    if (step.type === "run_turn") return session.hasTurn(step.turn_id) || session.isBusy;
    if (step.type === "stop_reply") return !session.canStop(step.reply_id);
    return session.isBusy;
  }

  /** The room's own events, oldest first, as short lines. */
  get story(): readonly string[] {
    return this.log.flatMap((event) => {
      const own = roomEventOf(event);
      return own ? lineOf(own) : [];
    });
  }
}

export function isOutside(step: RoomStep): step is OutsideStep {
  return step.type === "run_turn" || step.type === "stop_reply" || step.type === "deliver";
}

function lineOf(own: RoomEvent): readonly string[] {
  switch (own.name) {
    case "message_added":
      return [`${own.value.participant ?? "-"} says`];
    case "room_discussion_started":
      return [`discussion ${own.value.discussion}`];
    case "room_discussion_ended":
      return [`end: ${own.value.reason}`];
    case "room_round_started":
      return [`round ${own.value.round}: ${own.value.participants.join(" ")}`];
    case "room_turn_started":
      return [`> ${own.value.participant}`];
    case "room_turn_ended":
      return [`< ${own.value.participant} ${own.value.reason}`];
    case "room_interrupted":
      return [`stop ${own.value.participant ?? "all"}: ${own.value.reason}`];
    default:
      return [];
  }
}
