// Barge-in: what is said is cut off, and what was not heard of it leaves the conversation.
import { PLAYED_ANSWER_MS } from "../../../protocol/voice/limits.ts";
import { cutAtWord, heardCharacters } from "../heard-text.ts";
import { CUT_WRITTEN_MS, WHOLE_AUDIO_MS } from "../limits.ts";
import { change, command, idsOf, remember, type Draft } from "./draft.ts";
import { isPlayed, playedItems, playedMsOf, sentMs, tellOver } from "./output-items.ts";
import type { OutputItem, SpokenCall, VoiceState } from "./voice-state.ts";

/**
 * Cuts off whatever is said or about to be said. @param by The connection that does, where it is not the one that speaks.
 * @returns Whether a reply is interrupted by it.
 */
export function cutIn(draft: Draft, by = draft.state.client?.speaker): boolean {
  if (!draft.state.client) return false;
  cutCalls(draft, by);
  const { reply, spoken, starting } = draft.state;
  change(draft, {
    starting: starting.map((each) => (each.is_next ? { ...each, is_cut: true } : each)),
  });
  if (!reply || reply.is_interrupted || !spoken.includes(reply.reply_id)) return false;
  if (!reply.is_call_open && reply.calls > 0) return false;
  interruptReply(draft, reply.reply_id);
  return true;
}

export function interruptReply(draft: Draft, replyId: string | null): void {
  draft.effects.push({ type: "interrupt_reply", reply_id: replyId });
  const { reply } = draft.state;
  if (reply && (replyId === null || reply.reply_id === replyId)) {
    change(draft, { reply: { ...reply, is_interrupted: true } });
  }
}

function cutCalls(draft: Draft, by: number | undefined): void {
  const { state, now } = draft;
  const played = playedItems(state, now);
  const isUnplayed = (item: OutputItem) => !isPlayed(state, item, played);
  const isCut = (call: SpokenCall) =>
    call.cut === null &&
    !isUnheard(call) &&
    (!call.is_written || !call.is_done || call.items.some(isUnplayed));
  if (!state.calls.some(isCut)) return;
  if (state.calls.some((call) => isCut(call) && call.response_id !== null && !call.is_done)) {
    command(draft, { type: "cancel" });
  }
  const calls = state.calls.map((call) => {
    if (!isCut(call)) return call;
    const cleared = call.items.filter(isUnplayed).flatMap(({ item }) => item ?? []);
    for (const item of cleared) {
      draft.effects.push({ type: "send", frame: { type: "audio_clear", item } });
    }
    const items = call.items.map((item) => ({ ...item, played_ms: playedMsOf(item, played) }));
    const cut = { at_ms: now, by, is_told: cleared.length === 0 };
    return { ...call, items, is_muted: true, cut };
  });
  change(draft, { calls });
}

/** A call that was said while no client was there: its text is read, not heard. */
function isUnheard({ is_muted, items }: SpokenCall): boolean {
  return is_muted && items.length === 0;
}

/** The time at which the heard part of a call that was cut is settled; in the past where all of it is known, null for others. */
export function cutDueMs({ cut, is_written, reply_id }: SpokenCall): number | null {
  if (!cut) return null;
  const isLogged = is_written || reply_id === null;
  const waits = [
    cut.is_told ? 0 : cut.at_ms + PLAYED_ANSWER_MS,
    isLogged ? 0 : cut.at_ms + CUT_WRITTEN_MS,
  ];
  return Math.max(...waits);
}

/** Takes what was not heard out of the log and out of the provider's conversation. */
export function settleCuts(draft: Draft): void {
  for (const call of draft.state.calls) {
    const dueMs = cutDueMs(call);
    if (dueMs === null || draft.now < dueMs) continue;
    settleCut(draft, call);
    tellOver(draft, call, ({ played_ms }) => played_ms);
    remember(draft, idsOf(call));
    change(draft, { calls: draft.state.calls.filter((each) => each !== call) });
  }
}

interface HeardItem {
  readonly item: OutputItem;
  readonly playedMs: number;
  readonly isWhole: boolean;
  /** Characters of the call's text up to the last that was heard of the item. */
  readonly characters: number;
}

function settleCut(draft: Draft, call: SpokenCall): void {
  const heard = heardItems(draft.state, call);
  const last = heard.filter(({ playedMs }) => playedMs > 0).at(-1);
  const characters = last?.characters ?? 0;
  const played_ms = heard.reduce((sum, { playedMs }) => sum + playedMs, 0);
  truncateBlocks(draft, call, { characters, played_ms });
  if (draft.state.settings.truncation === "explicit") truncateItems(draft, call, heard);
}

function heardItems(state: VoiceState, call: SpokenCall): readonly HeardItem[] {
  return call.items.map((item) => {
    const { marks, characters, is_done: isDone, played_ms: playedMs } = item;
    const ms = sentMs(state, item);
    const isWhole = isDone && item.item !== null && playedMs >= ms - WHOLE_AUDIO_MS;
    const spoken = { marks, characters, ms, isDone };
    return { item, playedMs, isWhole, characters: heardCharacters(spoken, playedMs) };
  });
}

function truncateBlocks(
  draft: Draft,
  { reply_id, blocks }: SpokenCall,
  { characters, played_ms }: { readonly characters: number; readonly played_ms: number },
): void {
  // A reply that others have begun may have been taken for ours until ours was said to have begun.
  if (reply_id === null || !draft.state.spoken.includes(reply_id)) return;
  let start = 0;
  for (const { block_id, text: whole } of blocks) {
    const text = cutAtWord(whole, Math.max(0, characters - start));
    start += whole.length;
    if (text.length === whole.length) continue;
    draft.effects.push({ type: "truncate", message_id: reply_id, block_id, text, played_ms });
  }
}

function truncateItems(draft: Draft, { blocks }: SpokenCall, heard: readonly HeardItem[]): void {
  const text = blocks.map((block) => block.text).join("");
  for (const { item, playedMs, isWhole, characters } of heard) {
    if (isWhole) continue;
    const { item_id } = item;
    if (playedMs < 1) {
      command(draft, { type: "delete_item", item_id });
      continue;
    }
    const own = text.slice(item.marks[0]?.characters ?? 0);
    const played_text = cutAtWord(own, characters - (item.marks[0]?.characters ?? 0));
    command(draft, { type: "truncate", item_id, played_ms: Math.floor(playedMs), played_text });
  }
}
