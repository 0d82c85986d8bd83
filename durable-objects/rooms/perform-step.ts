// Does a step of a participant's session. Each may be repeated: a turn begins one reply, and known messages are found.
import { speakersOf } from "../../agent/rooms/members.ts";
import { moderatorSchema } from "../../agent/rooms/moderator.ts";
import { sessionTeam } from "../../agent/rooms/room-fold.ts";
import type { OutsideStep } from "../../agent/rooms/room-step.ts";
import type { OpenTurn } from "../../agent/rooms/room-state.ts";
import type { Refusal } from "../../protocol/errors.ts";
import type { ErrorInfo, Msg } from "../../protocol/messages/messages.ts";
import type { InputMessage } from "../../protocol/replies/contract.ts";
import {
  MODERATOR,
  ROOM_DELIVERED,
  ROOM_TURN_ENDED,
  roomEvent,
  type TurnEnd,
} from "../../protocol/rooms/events.ts";
import { AGENT_ANSWER_MS } from "../../protocol/tools/limits.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import type { ParticipantApi } from "../api/participant-api.ts";
import { MAX_TURN_TRIES } from "./limits.ts";
import type { OpenRoom } from "./open-room.ts";
import { participantStub } from "./participant-stub.ts";
import type { RoomCopies } from "./room-copies.ts";
import { soleEndUser } from "./room-team.ts";
import { shareFiles } from "./share-files.ts";
import { turnInput } from "./turn-input.ts";

interface TriedStep {
  readonly step: OutsideStep;
  /** Times that it has failed. */
  readonly tries: number;
}

type StepOf<Type extends OutsideStep["type"]> = Extract<OutsideStep, { type: Type }>;

/** @throws when it has to be tried again. */
export async function performStep(
  room: OpenRoom,
  copies: RoomCopies,
  { step, tries }: TriedStep,
): Promise<void> {
  const stub = stubOf(room, step.participant);
  switch (step.type) {
    case "run_turn":
      return stub ? runTurn(room, copies, { step, stub, tries }) : undefined;
    case "stop_reply":
      return stub ? stopReply(room, copies, { step, stub }) : undefined;
    case "deliver":
      return deliver(room, step, stub);
  }
}

function stubOf({ env, init, table }: OpenRoom, name: string): ParticipantApi | null {
  const sessionId = table.member(name)?.session_id ?? null;
  return sessionId === null ? null : participantStub(env, init.tenant_id, sessionId);
}

interface RunTurn {
  readonly step: StepOf<"run_turn">;
  readonly stub: ParticipantApi;
  readonly tries: number;
}

async function runTurn(
  room: OpenRoom,
  copies: RoomCopies,
  { step, stub, tries }: RunTurn,
): Promise<void> {
  const { turn_id, participant } = step;
  const { state } = room;
  // The moderator is read, and never heard.
  if (participant !== MODERATOR) await room.floor?.prepare(participant);
  const messages = await tellEarlier(room, step, stub);
  await shareTold(room, participant, messages);
  const team = sessionTeam(participant, state.settings.order, state.members);
  const isModerator = participant === MODERATOR;
  const { share, trace } = room.table.asker;
  const turn = {
    turn_id,
    messages,
    team,
    end_user_id: soleEndUser(room.table),
    ...(share && { share }),
    ...(isModerator && { structured_schema: moderatorSchema(speakersOf(state)) }),
  };
  const asked = stub.act("startRoomTurn", turn, { trace });
  const started = await withinDeadline(asked, AGENT_ANSWER_MS);
  if (started.ok) {
    if (await copies.copy(participant)) copies.follow(participant);
    return;
  }
  const { refusal } = started;
  if (isPassing(refusal) && tries < MAX_TURN_TRIES) throw new Error(refusal.detail);
  const open = findTurn(room, turn_id);
  // One that was stopped meanwhile is refused by its session.
  const reason = open?.stopping?.reason ?? "error";
  endTurn(room, open, { reason, error: reason === "error" ? errorOf(refusal) : null });
}

async function stopReply(
  room: OpenRoom,
  copies: RoomCopies,
  { step, stub }: { readonly step: StepOf<"stop_reply">; readonly stub: ParticipantApi },
): Promise<void> {
  const { participant, turn_id, reply_id } = step;
  const stopped = stub.act("endRoomTurn", { turn_id: turn_id ?? reply_id ?? "" });
  const ended = await withinDeadline(stopped, AGENT_ANSWER_MS);
  if (!ended.ok && ended.refusal.code !== "not_found") throw new Error(ended.refusal.detail);
  const isLeft = ended.ok ? await copies.copy(participant) : true;
  if (isLeft) copies.follow(participant);
  const turn = turn_id === null ? null : findTurn(room, turn_id);
  // Its reply never began, and begins no more.
  if (turn?.stopping && turn.reply_id === null) {
    endTurn(room, turn, { reason: turn.stopping.reason, error: null });
  }
}

async function deliver(
  room: OpenRoom,
  step: StepOf<"deliver">,
  stub: ParticipantApi | null,
): Promise<void> {
  const { participant, hears_to } = step;
  if (stub) {
    const messages = await tellEarlier(room, step, stub);
    await shareTold(room, participant, messages);
    await tell(stub, messages);
  }
  // Whoever has left meanwhile needs no place.
  const { log, state } = room;
  const isThere = state.members.some(({ name }) => name === participant);
  if (log.isClosed || !(isThere || state.moderator?.name === participant)) return;
  log.append([roomEvent(ROOM_DELIVERED, { participant, hears_to }, participant)], { isLast: true });
}

/** Delivers what one call cannot carry together with the rest. @returns the rest. */
async function tellEarlier(
  room: OpenRoom,
  { participant, hears_from, hears_to }: StepOf<"run_turn" | "deliver">,
  stub: ParticipantApi,
): Promise<readonly InputMessage[]> {
  for (let from = hears_from; ;) {
    const input = turnInput(room.messages, participant, { hears_from: from, hears_to });
    if (input.heard_to === null) return input.messages;
    await shareTold(room, participant, input.messages);
    await tell(stub, input.messages);
    from = input.heard_to;
  }
}

/** Of the files in what is told, before it is told. */
async function shareTold(
  room: OpenRoom,
  participant: string,
  messages: readonly InputMessage[],
): Promise<void> {
  const sessionId = room.table.member(participant)?.session_id ?? null;
  if (sessionId !== null) await shareFiles(room, sessionId, messages as readonly Msg[]);
}

async function tell(stub: ParticipantApi, messages: readonly InputMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const asked = stub.act("deliverFromRoom", { messages });
  const delivered = await withinDeadline(asked, AGENT_ANSWER_MS);
  // A session that is gone is told nothing more.
  if (!delivered.ok && delivered.refusal.code !== "not_found") {
    throw new Error(delivered.refusal.detail);
  }
}

function findTurn({ state }: OpenRoom, turnId: string): OpenTurn | null {
  return state.discussion?.turns.find(({ turn_id }) => turn_id === turnId) ?? null;
}

/** Ends a turn for which no reply has begun. */
function endTurn(
  { log, state }: OpenRoom,
  turn: OpenTurn | null,
  { reason, error }: { readonly reason: TurnEnd; readonly error: ErrorInfo | null },
): void {
  const { discussion } = state;
  if (!turn || !discussion || log.isClosed) return;
  const { turn_id, participant, round } = turn;
  const value = {
    turn_id,
    participant,
    discussion: discussion.discussion,
    round,
    reason,
    reply_id: null,
    mentions: [],
    error,
  };
  log.append([roomEvent(ROOM_TURN_ENDED, value, participant)], { isLast: true });
}

function isPassing({ code }: Refusal): boolean {
  return (
    code === "quota_exceeded" ||
    code === "unavailable" ||
    // A call of a lost room, or one that was not waited for, is still under way there.
    code === "idempotency_in_flight" ||
    code === "reply_running" ||
    code === "reply_awaiting"
  );
}

function errorOf({ code, detail }: Refusal): ErrorInfo {
  return { type: code === "quota_exceeded" ? "quota_exceeded" : "internal", message: detail };
}
