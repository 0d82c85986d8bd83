// Decisions of a room: the steps that are due in a state of it. Pure.
import type { DiscussionEnd } from "../../protocol/rooms/events.ts";
import { STOP_GRACE_MS } from "./limits.ts";
import { hasTurnsLeft, memberOf, newestSaid, queueOf, speakersOf } from "./members.ts";
import type { Discussion, OpenRound, OpenTurn, RoomState } from "./room-state.ts";
import type { CommittedStep, OutsideStep, RoomStep } from "./room-step.ts";
import { turnSteps } from "./turn-steps.ts";

/**
 * The steps that are due: those of the log, which are committed in this order, and those of sessions. To be asked again
 * behind each commit, and at {@link nextStepMs}.
 */
export function nextSteps(state: RoomState, nowMs: number): readonly RoomStep[] {
  const { discussion } = state;
  const strays = stopStrays(state);
  if (!discussion) {
    const begins = beginDiscussion(state);
    return [...begins, ...strays, ...(begins.length === 0 ? deliveries(state) : [])];
  }
  if (isOverdue(state, discussion, nowMs)) {
    return [{ type: "time_out", participant: null }, ...strays];
  }
  const ofTurns = discussion.turns.flatMap((turn) => turnSteps(state, discussion, turn, nowMs));
  return [...ofTurns, ...strays, ...progress(state, discussion)];
}

/** The time at which time alone makes a step due; null for never. */
export function nextStepMs({ discussion, settings }: RoomState): number | null {
  if (!discussion) return null;
  const whole =
    settings.max_ms === null || discussion.ending ? [] : [discussion.started_ms + settings.max_ms];
  const turns = discussion.turns.flatMap(({ ended, stopping, deadline_ms }) => {
    if (ended) return [];
    if (stopping) return [stopping.at_ms + STOP_GRACE_MS];
    return deadline_ms === null ? [] : [deadline_ms];
  });
  const times = [...whole, ...turns];
  return times.length === 0 ? null : Math.min(...times);
}

/** Whether nothing is left to be done, something runs, or all that is open waits for people. */
export function roomStatus(state: RoomState): "idle" | "running" | "waiting" {
  const { discussion, pending } = state;
  if (!discussion) return beginDiscussion(state).length === 0 ? "idle" : "running";
  const isWaiting = (turn: OpenTurn): boolean =>
    !turn.ended &&
    !turn.stopping &&
    (turn.kind === "person" || pending.some((call) => call.turn_reply_id === turn.reply_id));
  if (discussion.turns.length === 0 || !discussion.turns.every(isWaiting)) return "running";
  return progress(state, discussion).length === 0 ? "waiting" : "running";
}

function beginDiscussion({ unanswered, woken }: RoomState): readonly CommittedStep[] {
  if (unanswered) return [{ type: "begin_discussion", message_id: unanswered.message_id }];
  return woken.length > 0 ? [{ type: "begin_discussion", message_id: null }] : [];
}

function isOverdue({ settings }: RoomState, discussion: Discussion, nowMs: number): boolean {
  const { max_ms } = settings;
  return max_ms !== null && !discussion.ending && nowMs >= discussion.started_ms + max_ms;
}

/** Replies whose turn has ended without them. */
function stopStrays({ replies, discussion }: RoomState): readonly OutsideStep[] {
  const open = new Set(discussion?.turns.map(({ reply_id }) => reply_id));
  return replies
    .filter(({ reply_id }) => !open.has(reply_id))
    .map(({ participant, turn_id, reply_id }) => {
      return { type: "stop_reply", participant, turn_id, reply_id };
    });
}

/** Messages that were said outside the turns of those who did not say them. */
function deliveries(state: RoomState): readonly OutsideStep[] {
  return state.members.flatMap((member): OutsideStep[] => {
    const { name: participant, heard_seq: hears_from } = member;
    const hears_to = newestSaid(state, participant);
    const isBusy = state.replies.some((reply) => reply.participant === participant);
    if (member.kind !== "agent" || isBusy || hears_to <= hears_from) return [];
    return [{ type: "deliver", participant, hears_from, hears_to }];
  });
}

/** Beginnings and ends beside the turns that are open. */
function progress(state: RoomState, discussion: Discussion): readonly CommittedStep[] {
  const { round, turns } = discussion;
  if (!round) return turns.length > 0 ? [] : betweenRounds(state, discussion);
  const isClosing = discussion.ending !== null || hasSpent(state, discussion);
  if (!isClosing && hasTurnsLeft(state, round)) return beginTurns(state, round, turns);
  return turns.length > 0 ? [] : [{ type: "end_round", round: round.round }];
}

function beginTurns(
  state: RoomState,
  open: OpenRound,
  turns: readonly OpenTurn[],
): readonly CommittedStep[] {
  const { round, hears_to, is_open } = open;
  const queue = queueOf(state, open);
  if (state.settings.order === "parallel") {
    return queue.map((participant) => beginTurn(state, participant, round, hears_to));
  }
  if (turns.length > 0) return [];
  if (is_open) return [{ type: "ask_moderator", round, hears_to: newestSaid(state) }];
  const [next] = queue;
  return next === undefined ? [] : [beginTurn(state, next, round, newestSaid(state))];
}

function beginTurn(
  state: RoomState,
  participant: string,
  round: number,
  hears_to: number,
): CommittedStep {
  const type = memberOf(state, participant)?.kind === "person" ? "await_person" : "begin_turn";
  return { type, participant, round, hears_to };
}

function betweenRounds(state: RoomState, discussion: Discussion): readonly CommittedStep[] {
  const participants = discussion.ending === null ? nextRound(state, discussion) : null;
  if (participants === null) {
    return [{ type: "end_discussion", reason: discussion.ending ?? "completed" }];
  }
  const bound = boundOf(state, discussion);
  if (bound !== null) return [{ type: "end_discussion", reason: bound }];
  return [{ type: "begin_round", round: discussion.rounds + 1, participants }];
}

function boundOf(state: RoomState, discussion: Discussion): DiscussionEnd | null {
  if (hasSpent(state, discussion)) return "max_tokens";
  return discussion.rounds >= state.settings.max_rounds ? "max_rounds" : null;
}

/** Participants who have turns in the next round, none while a moderator has to name one; null when no round follows. */
function nextRound(state: RoomState, discussion: Discussion): readonly string[] | null {
  const { settings, moderator, woken, unanswered } = state;
  const speakers = speakersOf(state);
  const isWoken = discussion.message_id === null;
  if (isWoken && discussion.rounds === 0) return someOf(woken, speakers);
  switch (settings.order) {
    case "sequential":
    case "parallel":
      return isWoken || discussion.rounds >= settings.rounds ? null : someOf(speakers, speakers);
    case "mentioned":
      return someOf([...discussion.mentions, ...(unanswered?.mentions ?? []), ...woken], speakers);
    case "moderated":
      return isWoken || discussion.is_done || !moderator || speakers.length === 0 ? null : [];
  }
}

function someOf(names: readonly string[], speakers: readonly string[]): readonly string[] | null {
  const found = [...new Set(names)].filter((name) => speakers.includes(name));
  return found.length === 0 ? null : found;
}

function hasSpent({ settings }: RoomState, { tokens }: Discussion): boolean {
  return settings.max_tokens !== null && tokens >= settings.max_tokens;
}
