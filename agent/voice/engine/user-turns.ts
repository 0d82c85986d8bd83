// Turns of the user: their speech, their places in the conversation, their texts, and the replies to them.
import {
  LEAST_TURN_MS,
  MAX_PROVIDER_ID_CHARACTERS,
  MAX_TRANSCRIPT_CHARACTERS,
  MAX_UNSETTLED_TURNS,
} from "../limits.ts";
import { graphemeStart } from "../graphemes.ts";
import { cutIn } from "./cut-in.ts";
import { allotItem, change, changeProvider, remember, sendError, type Draft } from "./draft.ts";
import type { HeldReply, Transcript, Turn, VoiceState } from "./voice-state.ts";

/** Whether an event about the user's speech has an id that nothing else has, or had. */
function isNew({ speech, turns, calls, past_ids }: VoiceState, itemId: string): boolean {
  return (
    itemId !== "" &&
    itemId.length <= MAX_PROVIDER_ID_CHARACTERS &&
    speech?.item_id !== itemId &&
    !turns.some(({ item_id }) => item_id === itemId) &&
    !calls.some(({ items }) => items.some(({ item_id }) => item_id === itemId)) &&
    !past_ids.includes(itemId)
  );
}

/** The user has begun to speak. @returns False for an event that belongs to nothing. */
export function beginSpeech(draft: Draft, itemId: string, startMs: number): boolean {
  const { state, now } = draft;
  if (!isNew(state, itemId)) return state.past_ids.includes(itemId);
  if (state.speech) remember(draft, [state.speech.item_id]);
  if (!state.client) {
    remember(draft, [itemId]);
    return true;
  }
  const { turned_ms, given_ms } = state.provider;
  const start_ms = startMs > turned_ms && startMs <= given_ms ? startMs : turned_ms;
  const speech = { item_id: itemId, start_ms, began_ms: now, is_ended: false, transcript: null };
  change(draft, { speech, active_ms: now });
  cutIn(draft);
  return true;
}

/** The user's turn has ended. @returns False for an event that belongs to nothing. */
export function endSpeech(draft: Draft, itemId: string, endMs: number): boolean {
  const { state } = draft;
  const { provider } = state;
  const speech = state.speech?.item_id === itemId ? state.speech : null;
  if (!speech && !isNew(state, itemId)) return state.past_ids.includes(itemId);
  const start_ms = speech?.start_ms ?? provider.turned_ms;
  // The place in the audio where a turn has ended is not known to all providers.
  const isKnown = endMs > start_ms && endMs <= provider.given_ms;
  const end_ms = isKnown ? endMs : provider.given_ms;
  if (speech) change(draft, { speech: null });
  if (!state.client || end_ms - start_ms < LEAST_TURN_MS) {
    remember(draft, [itemId]);
    refuseCommit(draft);
    return !state.client;
  }
  // A turn that no detection has told of cuts in only now.
  if (!speech) cutIn(draft);
  changeProvider(draft, { turned_ms: end_ms, commit: null });
  change(draft, { active_ms: draft.now });
  takeTurn(draft, { item_id: itemId, start_ms, end_ms });
  const transcript = speech?.transcript ?? null;
  if (transcript !== null) takeTranscript(draft, itemId, transcript);
  return true;
}

/** A commit of the client makes no turn. @returns False where there is none. */
export function refuseCommit(draft: Draft): boolean {
  const { commit } = draft.state.provider;
  if (!commit) return false;
  sendError(draft, "validation_failed", "there is no speech since the last turn", commit.ref);
  changeProvider(draft, { commit: null });
  return true;
}

function takeTurn(draft: Draft, place: Pick<Turn, "item_id" | "start_ms" | "end_ms">): void {
  const [oldest] = draft.state.turns;
  if (oldest && draft.state.turns.length >= MAX_UNSETTLED_TURNS) {
    remember(draft, [oldest.item_id]);
    change(draft, { turns: draft.state.turns.slice(1) });
  }
  const isRealtime = draft.state.settings.mode === "realtime";
  const item = allotItem(draft);
  const { next_turn: turn, turns } = draft.state;
  const { start_ms, end_ms } = place;
  const taken: Turn = {
    ...place,
    turn,
    item,
    message_id: null,
    transcript: null,
    is_told: false,
    ended_ms: draft.now,
    is_answered: isRealtime,
  };
  change(draft, { turns: [...turns, taken], next_turn: turn + 1 });
  const said = { item, start_ms, end_ms };
  if (isRealtime) holdReply(draft, { turn, message: { type: "speech", ...said }, ref: undefined });
  else draft.effects.push({ type: "place_message", turn, ...said });
}

/** The reply to what the user has typed. */
export function takeText(draft: Draft, text: string, ref: string | undefined): void {
  const { next_turn: turn } = draft.state;
  change(draft, { next_turn: turn + 1, active_ms: draft.now });
  const message = { type: "text", text, ...(ref !== undefined && { ref }) } as const;
  holdReply(draft, { turn, message, ref });
}

/** @returns False for an event that belongs to nothing. */
export function takeTranscript(
  draft: Draft,
  itemId: string,
  { text: whole, usage }: Transcript,
): boolean {
  const { speech, turns, past_ids } = draft.state;
  if (speech?.item_id === itemId) {
    if (speech.transcript !== null) return false;
    const text = whole.slice(0, MAX_TRANSCRIPT_CHARACTERS + 1);
    change(draft, { speech: { ...speech, transcript: { text, usage } } });
    return true;
  }
  const turn = turns.find(({ item_id }) => item_id === itemId);
  if (!turn) return past_ids.includes(itemId);
  if (turn.transcript !== null) return false;
  const text = whole.slice(0, graphemeStart(whole, MAX_TRANSCRIPT_CHARACTERS)).trim();
  if (text === "") {
    failTurn(draft, turn, true);
    return true;
  }
  tellTranscript(draft, changeTurn(draft, turn, { transcript: { text, usage } }));
  return true;
}

/**
 * The turn's text will not come.
 * @param isKnown The provider has said so. A realtime model hears without texts, and some write none.
 */
export function failTurn(draft: Draft, turn: Turn, isKnown: boolean): void {
  changeTurn(draft, turn, { transcript: "failed", is_answered: true });
  if (!isKnown && draft.state.settings.mode === "realtime") return;
  sendError(draft, "speech_not_transcribed", "what was said could not be written down");
}

/** The turn's message has its place, and its id. */
export function notePlaced(draft: Draft, number: number, message_id: string): void {
  const turn = draft.state.turns.find((each) => each.turn === number);
  if (turn) tellTranscript(draft, changeTurn(draft, turn, { message_id }));
}

/** The session has refused what the turn asked for: nothing follows of it. */
export function dropTurn(draft: Draft, number: number): void {
  const turn = draft.state.turns.find((each) => each.turn === number);
  if (!turn) return;
  remember(draft, [turn.item_id]);
  change(draft, { turns: draft.state.turns.filter((each) => each !== turn) });
}

function tellTranscript(draft: Draft, turn: Turn): void {
  const { message_id, transcript, is_told } = turn;
  if (message_id === null || transcript === null || transcript === "failed" || is_told) return;
  const { text, usage } = transcript;
  draft.effects.push({ type: "transcribed", message_id, text, ...(usage && { usage }) });
  changeTurn(draft, turn, { is_told: true });
}

function changeTurn(draft: Draft, turn: Turn, members: Partial<Turn>): Turn {
  const changed = { ...turn, ...members };
  const turns = draft.state.turns.map((each) => (each === turn ? changed : each));
  change(draft, { turns });
  return changed;
}

/** A cascade's reply, when the user is silent and all that was said is written down: one to all of it. */
export function answerTurns(draft: Draft): void {
  const { settings, speech, turns } = draft.state;
  if (settings.mode !== "cascade" || speech) return;
  const open = turns.filter(({ is_answered }) => !is_answered);
  const last = open.at(-1);
  if (!last || !open.every(({ is_told }) => is_told)) return;
  change(draft, { turns: turns.map((turn) => ({ ...turn, is_answered: true })) });
  holdReply(draft, { turn: last.turn, message: { type: "placed" }, ref: undefined });
}

export function forgetSettledTurns(draft: Draft): void {
  const isSettled = ({ is_answered, is_told, transcript }: Turn) =>
    is_answered && (is_told || transcript === "failed");
  const settled = draft.state.turns.filter(isSettled);
  if (settled.length === 0) return;
  remember(
    draft,
    settled.map(({ item_id }) => item_id),
  );
  change(draft, { turns: draft.state.turns.filter((turn) => !isSettled(turn)) });
}

function holdReply(draft: Draft, reply: HeldReply): void {
  const { held, starting } = draft.state;
  if (held.length + starting.length < MAX_UNSETTLED_TURNS) {
    change(draft, { held: [...held, reply] });
    return;
  }
  dropTurn(draft, reply.turn);
  sendError(draft, "rate_limited", "too many replies are about to begin", reply.ref);
}

/** Asks for the replies that nothing holds up: what they interrupt is in the log as far as it was heard. */
export function beginReplies(draft: Draft): void {
  if (draft.state.calls.some(({ cut }) => cut !== null)) return;
  for (const { turn, message, ref } of draft.state.held) {
    const { reply } = draft.state;
    const isInterrupting = isInterruptible(draft.state);
    const is_next = isInterrupting || !reply || reply.is_interrupted;
    const on_busy = isInterrupting ? "interrupt" : "queue";
    draft.effects.push({ type: "begin_reply", turn, message, on_busy });
    const starting = [...draft.state.starting, { turn, ref, is_next, is_cut: false }];
    change(draft, { starting });
  }
  if (draft.state.held.length > 0) change(draft, { held: [] });
}

/**
 * A reply whose tools run, or that waits, goes on; so does one that others have begun, also while this one is about to begin:
 * where nothing is to be interrupted, the queue begins it at once.
 */
function isInterruptible({ reply, spoken }: VoiceState): boolean {
  if (!reply || reply.is_interrupted || !spoken.includes(reply.reply_id)) return false;
  return reply.is_call_open || reply.calls === 0;
}
