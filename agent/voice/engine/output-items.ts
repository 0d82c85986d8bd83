// Items of the agent's audio: how much of them the client was sent and has played.
import { SAMPLE_BYTES } from "../../../protocol/voice/limits.ts";
import { WHOLE_AUDIO_MS } from "../limits.ts";
import { changeCall, type Draft } from "./draft.ts";
import type { ClientInput } from "./voice-input.ts";
import type { OutputItem, SpokenCall, VoiceState } from "./voice-state.ts";

/** Milliseconds of the item that the client was sent. */
export function sentMs(state: VoiceState, { bytes }: OutputItem): number {
  return Math.floor((bytes * 1_000) / (SAMPLE_BYTES * state.settings.rates.output));
}

/** The item of each number with the milliseconds of it that have been played at a time. Items are played one after the other. */
export function playedItems(state: VoiceState, at: number): ReadonlyMap<number, number> {
  const played = new Map<number, number>();
  let freeMs = 0;
  for (const { items } of state.calls) {
    for (const item of items) {
      if (item.item === null) continue;
      const ms = sentMs(state, item);
      // A client that says nothing about its playback is taken to play at once.
      const beganMs = Math.max(freeMs, item.began_ms);
      const estimate = state.client?.reports ? item.played_ms : Math.max(0, at - beganMs);
      played.set(item.item, Math.min(ms, estimate));
      freeMs = beganMs + ms;
    }
  }
  return played;
}

export function playedMsOf({ item }: OutputItem, played: ReadonlyMap<number, number>): number {
  return item === null ? 0 : (played.get(item) ?? 0);
}

/** Whether all of an item that will ever come has been played. */
export function isPlayed(
  state: VoiceState,
  item: OutputItem,
  played: ReadonlyMap<number, number>,
): boolean {
  if (item.item === null) return true;
  return item.is_done && playedMsOf(item, played) >= sentMs(state, item) - WHOLE_AUDIO_MS;
}

/** Milliseconds that the client was sent and has not played: whatever it says, it has not played more than time has passed. */
export function unplayedMs(state: VoiceState, now: number): number {
  const played = playedItems(state, now);
  const items = state.calls.flatMap((call) => call.items).filter(({ item }) => item !== null);
  return items.reduce((sum, item) => {
    const passedMs = Math.max(0, now - item.began_ms);
    return sum + sentMs(state, item) - Math.min(passedMs, playedMsOf(item, played));
  }, 0);
}

/** Ends the items of a call, or one of them: the client is told how long they are. */
export function endItems(draft: Draft, call: SpokenCall, itemId?: string): SpokenCall {
  // The heard part of a call that was cut off is decided by what had come until then.
  if (call.cut) return call;
  const items = call.items.map((item) => {
    if (item.is_done || (itemId !== undefined && item.item_id !== itemId)) return item;
    if (item.item !== null && draft.state.client) {
      const frame = { type: "audio_end", item: item.item, ms: sentMs(draft.state, item) } as const;
      draft.effects.push({ type: "send", frame });
    }
    return { ...item, is_done: true };
  });
  return changeCall(draft, call, { items });
}

/** The client has played so much of an item: of several connections the one that has played most. */
export function notePlayed(
  draft: Draft,
  { item: number, ms, from }: Extract<ClientInput, { type: "played" }>,
): void {
  const { state, now } = draft;
  const isFirst = state.client?.reports === false;
  const call = state.calls.find(({ items }) => items.some(({ item }) => item === number));
  if (state.client && !state.client.reports) {
    draft.state = { ...state, client: { ...state.client, reports: true } };
  }
  const found = call?.items.find(({ item }) => item === number);
  if (!call || !found) return;
  // Its first word counts in place of what the time has said.
  const before = isFirst ? 0 : found.played_ms;
  const played_ms = Math.max(before, Math.min(ms, sentMs(state, found)));
  if (played_ms > found.played_ms) draft.state = { ...draft.state, active_ms: now };
  const items = call.items.map((item) => (item === found ? { ...item, played_ms } : item));
  // Word of an item that had been played before the cut says nothing of the one that it fell in.
  const isOld = found.is_done && before >= sentMs(state, found) - WHOLE_AUDIO_MS;
  const isAnswer = !isOld && (call.cut?.by === undefined || call.cut.by === from);
  const cut = call.cut && { ...call.cut, is_told: call.cut.is_told || isAnswer };
  changeCall(draft, call, { items, cut });
}

/** Tells an owner that keeps audio that nothing more is heard of the call's items, and how much of each was. */
export function tellOver(
  draft: Draft,
  call: SpokenCall,
  heardMs: (item: OutputItem) => number,
): void {
  const { settings, spoken } = draft.state;
  if (!settings.keeps_audio) return;
  const { reply_id } = call;
  for (const item of call.items) {
    if (item.item === null) continue;
    const block_id = blockOf(call, item);
    // A reply of others has no audio here.
    const isOurs = reply_id !== null && block_id !== null && spoken.includes(reply_id);
    const of = isOurs ? { message_id: reply_id, block_id } : null;
    draft.effects.push({ type: "item_over", item: item.item, heard_ms: heardMs(item), of });
  }
}

/** The block in which the item's text begins; null for a call without text. */
function blockOf({ blocks }: SpokenCall, { marks }: OutputItem): string | null {
  const at = marks[0]?.characters ?? 0;
  let end = 0;
  for (const { block_id, text } of blocks) {
    end += text.length;
    if (at < end) return block_id;
  }
  return blocks.at(-1)?.block_id ?? null;
}
