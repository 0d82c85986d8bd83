// Speech of the agent: the events of a response at the provider, and those of its model call in the log.
import { MAX_UNPLAYED_MS, SAMPLE_BYTES } from "../../../protocol/voice/limits.ts";
import { withMark } from "../heard-text.ts";
import { MAX_CALL_ITEMS, MAX_PROVIDER_ID_CHARACTERS, MAX_SPOKEN_CALLS } from "../limits.ts";
import type { VoiceModelEvent } from "../voice-model.ts";
import { NOTHING, withAudio, withAudioTokens } from "./count-said.ts";
import { allotItem, change, changeCall, idsOf, remember, sendError, type Draft } from "./draft.ts";
import { endItems, isPlayed, playedItems, sentMs, tellOver, unplayedMs } from "./output-items.ts";
import type { OutputItem, SpokenCall, VoiceState } from "./voice-state.ts";

type EventOf<Type extends VoiceModelEvent["type"]> = Extract<VoiceModelEvent, { type: Type }>;

/** A new call; of too many the oldest is followed no further. */
export function addCall(draft: Draft, members: Partial<SpokenCall>): SpokenCall {
  const call: SpokenCall = {
    reply_id: null,
    seq: null,
    response_id: null,
    blocks: [],
    items: [],
    characters: 0,
    is_written: false,
    is_done: false,
    is_failed: false,
    is_muted: draft.state.client === null,
    event_ms: draft.now,
    cut: null,
    said: NOTHING,
    ...members,
  };
  const calls = [...draft.state.calls, call];
  for (const lost of calls.slice(0, -MAX_SPOKEN_CALLS)) {
    remember(draft, idsOf(lost));
    tellOver(draft, lost, (item) => sentMs(draft.state, item));
  }
  change(draft, { calls: calls.slice(-MAX_SPOKEN_CALLS) });
  return call;
}

/** @returns False for an event that belongs to nothing; so do all here. */
export function beginResponse(draft: Draft, { response_id }: EventOf<"response_created">): boolean {
  const { state, now } = draft;
  if (!isId(response_id) || state.calls.some((call) => call.response_id === response_id)) {
    return false;
  }
  if (state.past_ids.includes(response_id)) return false;
  const newest = state.calls.at(-1);
  // A try that failed goes on within its call.
  const isAgain = newest?.reply_id !== null && newest?.is_written === false;
  const isFree = newest?.response_id === null || isAgain;
  if (!newest || !isFree) {
    // The log is about to tell of the call. Nobody hears what no reply has asked for: it would be in no log.
    if (!isCallExpected(state)) return false;
    addCall(draft, { response_id });
    return true;
  }
  const call = newest.is_failed ? clearItems(draft, newest) : newest;
  remember(draft, [call.response_id]);
  changeCall(draft, call, { response_id, is_done: false, is_failed: false, event_ms: now });
  return true;
}

export function endResponse(
  draft: Draft,
  { response_id, status, usage }: EventOf<"response_done">,
): boolean {
  const call = find(draft.state, response_id);
  if (!call || call.is_done) return draft.state.past_ids.includes(response_id);
  const is_failed = status === "failed" || status === "cancelled";
  const { said } = withAudioTokens(call, usage);
  endItems(draft, changeCall(draft, call, { is_done: true, is_failed, event_ms: draft.now, said }));
  return true;
}

export function takeAudio(draft: Draft, event: EventOf<"response_audio_delta">): boolean {
  const { response_id, item_id, audio } = event;
  const found = findOpen(draft, response_id, item_id);
  if (!found) return isPast(draft.state, response_id, item_id);
  const { item } = found;
  if (item.is_done) return false;
  const { said } = withAudio(found.call, audio.byteLength);
  const call = changeCall(draft, found.call, { said });
  if (call.is_muted || audio.byteLength === 0) return true;
  const { state, now } = draft;
  const ms = (audio.byteLength / SAMPLE_BYTES / state.settings.rates.output) * 1_000;
  if (unplayedMs(state, now) + ms > MAX_UNPLAYED_MS) {
    endItems(draft, changeCall(draft, call, { is_muted: true }));
    sendError(draft, "reader_too_slow", "too much audio waits to be played: the rest is left out");
    return true;
  }
  const number = item.item ?? allotItem(draft);
  const began_ms = item.item === null ? now : item.began_ms;
  const place = sentMs(state, item);
  draft.effects.push({ type: "send_audio", item: number, ms: place, audio });
  const bytes = item.bytes + audio.byteLength;
  changeItem(draft, call, { ...item, item: number, began_ms, bytes });
  change(draft, { active_ms: now });
  return true;
}

export function endAudio(
  draft: Draft,
  { response_id, item_id }: EventOf<"response_audio_done">,
): boolean {
  const call = find(draft.state, response_id);
  const item = call?.items.find((each) => each.item_id === item_id);
  if (!call || !item || item.is_done) return isPast(draft.state, response_id, item_id);
  endItems(draft, changeCall(draft, call, { event_ms: draft.now }), item_id);
  return true;
}

export function takeText(
  draft: Draft,
  { response_id, item_id, delta }: EventOf<"response_audio_transcript_delta">,
): boolean {
  const found = findOpen(draft, response_id, item_id);
  if (!found) return isPast(draft.state, response_id, item_id);
  const { call, item } = found;
  if (delta === "" || call.is_muted) return true;
  const mark = { characters: call.characters, ms: sentMs(draft.state, item) };
  const marks = withMark(item.marks, mark, draft.state.settings.mode === "cascade");
  const characters = call.characters + delta.length;
  changeItem(draft, changeCall(draft, call, { characters }), { ...item, marks, characters });
  return true;
}

/** The output of the call's failed try is taken back: it is said anew. */
export function clearItems(draft: Draft, call: SpokenCall): SpokenCall {
  const played = playedItems(draft.state, draft.now);
  for (const item of call.items) {
    if (call.cut || item.item === null || isPlayed(draft.state, item, played)) continue;
    const frame = { type: "audio_clear", item: item.item } as const;
    if (draft.state.client) draft.effects.push({ type: "send", frame });
  }
  remember(draft, idsOf(call));
  tellOver(draft, call, () => 0);
  return changeCall(draft, call, { items: [], characters: 0, response_id: null });
}

/** Calls that are said and played, or that nobody hears, are over. */
export function forgetPlayedCalls(draft: Draft): void {
  const { state } = draft;
  const played = playedItems(state, draft.now);
  const isOver = ({ is_written, is_done, cut, items }: SpokenCall) =>
    is_written && is_done && !cut && items.every((item) => isPlayed(state, item, played));
  const over = state.calls.filter(isOver);
  if (over.length === 0) return;
  for (const call of over) {
    remember(draft, idsOf(call));
    tellOver(draft, call, (item) => sentMs(state, item));
  }
  change(draft, { calls: draft.state.calls.filter((call) => !isOver(call)) });
}

function isCallExpected({ reply, spoken, starting }: VoiceState): boolean {
  return starting.length > 0 || (reply !== null && spoken.includes(reply.reply_id));
}

function find({ calls }: VoiceState, responseId: string): SpokenCall | undefined {
  return calls.find(({ response_id }) => response_id === responseId);
}

function isPast({ past_ids }: VoiceState, responseId: string, itemId: string): boolean {
  return past_ids.includes(responseId) || past_ids.includes(itemId);
}

/** The response's call and its item, which may be new; the call has heard of the provider now. */
function findOpen(
  draft: Draft,
  responseId: string,
  itemId: string,
): { readonly call: SpokenCall; readonly item: OutputItem } | null {
  const known = find(draft.state, responseId);
  if (!known || known.is_done) return null;
  const call = changeCall(draft, known, { event_ms: draft.now });
  const item = call.items.find(({ item_id }) => item_id === itemId);
  if (item) return { call, item };
  if (!isNewItem(draft.state, itemId) || call.items.length >= MAX_CALL_ITEMS) return null;
  const added: OutputItem = {
    item_id: itemId,
    item: null,
    bytes: 0,
    marks: [],
    characters: call.characters,
    is_done: false,
    began_ms: draft.now,
    played_ms: 0,
  };
  return { call: changeCall(draft, call, { items: [...call.items, added] }), item: added };
}

function isNewItem({ calls, turns, speech, past_ids }: VoiceState, itemId: string): boolean {
  return (
    isId(itemId) &&
    !past_ids.includes(itemId) &&
    speech?.item_id !== itemId &&
    !turns.some(({ item_id }) => item_id === itemId) &&
    !calls.some(({ items }) => items.some(({ item_id }) => item_id === itemId))
  );
}

function changeItem(draft: Draft, call: SpokenCall, changed: OutputItem): void {
  const items = call.items.map((item) => (item.item_id === changed.item_id ? changed : item));
  changeCall(draft, call, { items });
}

function isId(id: string): boolean {
  return id !== "" && id.length <= MAX_PROVIDER_ID_CHARACTERS;
}
