// The engine of a voice connection: turns of the user, spoken replies, what is played of them, and what cuts them off. Pure:
// its owner performs the effects in their order, and tells what came of them as inputs.
import { MAX_SPOKEN_REPLIES } from "../limits.ts";
import { takeClientInput } from "./client-inputs.ts";
import { tellSaid } from "./count-said.ts";
import { interruptReply, settleCuts } from "./cut-in.ts";
import { change, sendError, type Draft } from "./draft.ts";
import { endOverdue, nextDueMs, restWhenIdle } from "./due.ts";
import { closeProvider } from "./provider-connection.ts";
import { takeProviderInput } from "./provider-inputs.ts";
import { forgetPlayedCalls } from "./spoken-calls.ts";
import { takeEvent } from "./take-event.ts";
import {
  answerTurns,
  beginReplies,
  dropTurn,
  forgetSettledTurns,
  notePlaced,
} from "./user-turns.ts";
import type { VoiceEffect } from "./voice-effect.ts";
import type { SessionInput, VoiceInput } from "./voice-input.ts";
import type { OpenReply, VoiceEngineSettings, VoiceState } from "./voice-state.ts";

export interface VoiceStep {
  readonly state: VoiceState;
  readonly effects: readonly VoiceEffect[];
}

/** @param replyId The reply that is open, which others may have begun; null for none. */
export function openVoice(
  settings: VoiceEngineSettings,
  replyId: string | null = null,
): VoiceState {
  // The reply's progress is not known: it is not taken for one that may be interrupted.
  const reply: OpenReply | null =
    replyId === null
      ? null
      : { reply_id: replyId, is_call_open: false, calls: 1, is_interrupted: false };
  return {
    settings,
    client: null,
    provider: {
      status: "closed",
      turns: "server",
      opened_ms: 0,
      given_ms: 0,
      turned_ms: 0,
      commit: null,
      failures: 0,
      retry_ms: 0,
      strays: 0,
    },
    speech: null,
    turns: [],
    held: [],
    starting: [],
    reply,
    spoken: [],
    calls: [],
    past_ids: [],
    next_item: 1,
    next_turn: 1,
    active_ms: 0,
    failed_ms: Number.NEGATIVE_INFINITY,
    scheduled_ms: null,
  };
}

/** The next state, and what is to be done. Nothing that a client or a provider says makes it throw. */
export function advance(state: VoiceState, input: VoiceInput): VoiceStep {
  const draft: Draft = { now: input.now, state, effects: [] };
  take(draft, input);
  endOverdue(draft);
  tellSaid(draft);
  settleCuts(draft);
  answerTurns(draft);
  beginReplies(draft);
  forgetPlayedCalls(draft);
  forgetSettledTurns(draft);
  restWhenIdle(draft);
  schedule(draft);
  return { state: draft.state, effects: draft.effects };
}

function take(draft: Draft, input: VoiceInput): void {
  switch (input.type) {
    case "tick":
      return;
    case "logged":
    case "message_placed":
    case "reply_begun":
    case "act_refused":
      return takeSessionInput(draft, input);
    case "model":
    case "provider_opened":
    case "provider_lost":
    case "provider_wanted":
      return takeProviderInput(draft, input);
    default:
      return takeClientInput(draft, input);
  }
}

function takeSessionInput(draft: Draft, input: SessionInput): void {
  switch (input.type) {
    case "logged":
      return takeEvent(draft, input.event);
    case "message_placed":
      return notePlaced(draft, input.turn, input.message_id);
    case "reply_begun":
      return noteBegun(draft, input);
    case "act_refused": {
      const { turn, code, detail } = input;
      const ref = draft.state.starting.find((each) => each.turn === turn)?.ref;
      endStarting(draft, turn);
      dropTurn(draft, turn);
      sendError(draft, code, detail, ref);
      // Nothing more is written down of a tenant whose quota is used up: the next audio asks before it is sent.
      if (code === "quota_exceeded") closeProvider(draft);
      return;
    }
    default:
      return input satisfies never;
  }
}

function noteBegun(
  draft: Draft,
  { turn, reply_id, message_id }: Extract<SessionInput, { type: "reply_begun" }>,
): void {
  const { starting, spoken } = draft.state;
  const isCut = starting.some((each) => each.turn === turn && each.is_cut);
  endStarting(draft, turn);
  change(draft, { spoken: [...spoken, reply_id].slice(-MAX_SPOKEN_REPLIES) });
  if (message_id !== null) notePlaced(draft, turn, message_id);
  if (isCut) interruptReply(draft, reply_id);
}

function endStarting(draft: Draft, turn: number): void {
  const starting = draft.state.starting.filter((each) => each.turn !== turn);
  change(draft, { starting });
}

/** A tick that comes too early finds nothing due; so later times need no word. */
function schedule(draft: Draft): void {
  const { state, now } = draft;
  const isWaiting = state.scheduled_ms !== null && state.scheduled_ms > now;
  const known = isWaiting ? state.scheduled_ms : null;
  const nextMs = nextDueMs(state);
  const isLater = known !== null && nextMs !== null && nextMs >= known;
  const at_ms = isLater ? known : nextMs;
  if (at_ms !== state.scheduled_ms) draft.effects.push({ type: "schedule", at_ms });
  change(draft, { scheduled_ms: at_ms });
}
