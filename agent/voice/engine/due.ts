// Times in the engine: what is due at a time, and when the next thing will be.
import { MAX_TURN_AUDIO_MS } from "../../../protocol/voice/limits.ts";
import {
  COMMIT_MS,
  NO_RESPONSE_MS,
  OPENING_MS,
  RESPONSE_STALL_MS,
  SPEECH_GRACE_MS,
  TRANSCRIPT_MS,
} from "../limits.ts";
import { cutDueMs } from "./cut-in.ts";
import { change, changeCall, command, idsOf, remember, sendFailure, type Draft } from "./draft.ts";
import { endItems, sentMs, tellOver } from "./output-items.ts";
import { closeProvider, loseProvider } from "./provider-connection.ts";
import { failTurn } from "./user-turns.ts";
import type { OpenSpeech, SpokenCall, Turn, VoiceState } from "./voice-state.ts";

/** Ends what has waited for too long. */
export function endOverdue(draft: Draft): void {
  const { now } = draft;
  const { provider, speech } = draft.state;
  if (provider.status === "opening" && now >= provider.opened_ms + OPENING_MS) {
    command(draft, { type: "close" });
    loseProvider(draft);
  }
  // A socket may be gone without a word of it.
  const { commit } = draft.state.provider;
  if (commit && now >= commit.at_ms + COMMIT_MS) {
    command(draft, { type: "close" });
    loseProvider(draft);
  }
  if (speech && draft.state.speech === speech && now >= speechDueMs(speech)) {
    remember(draft, [speech.item_id]);
    change(draft, { speech: null });
  }
  for (const turn of draft.state.turns) {
    if (turn.transcript === null && now >= turnDueMs(turn)) failTurn(draft, turn, false);
  }
  for (const call of draft.state.calls) {
    const dueMs = callDueMs(call);
    if (dueMs !== null && now >= dueMs) endCall(draft, call);
  }
}

/** Lets the provider go when nobody has spoken for a while, and takes what may be unplayed for heard. */
export function restWhenIdle(draft: Draft): void {
  const idleMs = idleDueMs(draft.state);
  if (idleMs === null || draft.now < idleMs) return;
  closeProvider(draft);
  for (const call of draft.state.calls) {
    remember(draft, idsOf(call));
    tellOver(draft, call, (item) => sentMs(draft.state, item));
  }
  change(draft, { calls: [] });
}

/** The next time at which something is due; null for none. */
export function nextDueMs(state: VoiceState): number | null {
  const { provider, speech, turns, calls } = state;
  const times = [
    provider.status === "opening" ? provider.opened_ms + OPENING_MS : null,
    provider.commit && provider.commit.at_ms + COMMIT_MS,
    speech && speechDueMs(speech),
    ...turns.filter(({ transcript }) => transcript === null).map(turnDueMs),
    ...calls.flatMap((call) => [callDueMs(call), cutDueMs(call)]),
    idleDueMs(state),
  ].filter((time) => time !== null);
  return times.length === 0 ? null : Math.min(...times);
}

function speechDueMs({ began_ms }: OpenSpeech): number {
  return began_ms + MAX_TURN_AUDIO_MS + SPEECH_GRACE_MS;
}

function turnDueMs({ ended_ms }: Turn): number {
  return ended_ms + TRANSCRIPT_MS;
}

/** The time at which a call counts as ended, though its end has not come; null for one that has ended. */
function callDueMs({
  response_id,
  reply_id,
  is_done,
  is_written,
  event_ms,
}: SpokenCall): number | null {
  if (!is_done && response_id !== null) return event_ms + RESPONSE_STALL_MS;
  if (!is_done && is_written) return event_ms + NO_RESPONSE_MS;
  return is_done && !is_written && reply_id === null ? event_ms + NO_RESPONSE_MS : null;
}

function endCall(draft: Draft, call: SpokenCall): void {
  if (call.is_done) {
    changeCall(draft, call, { is_written: true });
    return;
  }
  endItems(draft, changeCall(draft, call, { is_done: true, event_ms: draft.now }));
  if (call.response_id !== null && !call.is_muted) {
    sendFailure(draft, "the model that speaks did not come to an end");
  }
}

function idleDueMs(state: VoiceState): number | null {
  const { provider, speech, turns, held, starting, reply, spoken, calls } = state;
  if (provider.status === "closed" && calls.length === 0) return null;
  const isBusy =
    speech !== null ||
    provider.commit !== null ||
    held.length > 0 ||
    starting.length > 0 ||
    turns.some(({ transcript }) => transcript === null) ||
    (reply !== null && reply.is_call_open && spoken.includes(reply.reply_id)) ||
    calls.some(({ is_written, is_done, cut }) => !is_written || !is_done || cut !== null);
  return isBusy ? null : state.active_ms + state.settings.idle_ms;
}
