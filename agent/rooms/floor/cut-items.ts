// Items that are played, or cut off before.
import { WHOLE_AUDIO_MS } from "../../voice/limits.ts";
import { overDueMs, reports } from "./due-floor.ts";
import { change, changeItem, type FloorDraft } from "./floor-draft.ts";
import { isCut, type FloorItem } from "./floor-state.ts";
import { CUT_SETTLED_MS, LATE_SPEECH_MS, TOLD_EVERY_MS } from "./limits.ts";

/** Takes back what is said, or about to be. */
export function cutAll(draft: FloorDraft): void {
  const { state, now } = draft;
  const names = new Set<string>();
  for (const item of state.items) {
    if (item.cleared) continue;
    names.add(item.participant);
    cutItem(draft, item);
  }
  for (const { participant } of state.replies) names.add(participant);
  for (const participant of names) {
    if (isCut(draft.state, participant)) continue;
    draft.effects.push({ type: "tell_agent", participant, frame: { type: "cut_in" } });
    const cuts = [...draft.state.cuts, { participant, at_ms: now, is_over: false }];
    change(draft, { cuts });
  }
  change(draft, { replies: [] });
}

/** The rest of it is not played. */
export function cutItem(draft: FloorDraft, item: FloorItem): void {
  const { now, state } = draft;
  const awaited = state.people.map(({ participant }) => participant);
  changeItem(draft, { ...item, cleared: { at_ms: now, awaited } });
  const frame = { type: "audio_clear", item: item.item } as const;
  draft.effects.push({ type: "send", frame, to: null });
}

/** Tells sessions what was played, and forgets what is over. */
export function settleItems(draft: FloorDraft): void {
  const { now } = draft;
  for (const item of draft.state.items) {
    const overMs = overDueMs(draft.state, item);
    const isOver = overMs !== null && now >= overMs;
    tellPlayed(draft, item, isOver);
    if (!isOver) continue;
    change(draft, { items: draft.state.items.filter((each) => each.item !== item.item) });
  }
  const { cuts, replies } = draft.state;
  change(draft, {
    cuts: cuts.filter(({ at_ms }) => now < at_ms + CUT_SETTLED_MS),
    replies: replies.filter(({ ended_ms }) => ended_ms === null || now < ended_ms + LATE_SPEECH_MS),
  });
}

/** A session whose client says nothing takes time for it, as this floor does. */
function tellPlayed(draft: FloorDraft, item: FloorItem, isOver: boolean): void {
  const { now } = draft;
  const { participant, agent_item, played_ms, told_ms, told_at_ms, cleared, is_done, ms } = item;
  if (!reports(draft.state)) return;
  if (cleared && !isOver) return;
  const isWhole = is_done && played_ms >= ms - WHOLE_AUDIO_MS;
  const isDue = isOver || isWhole || now >= told_at_ms + TOLD_EVERY_MS;
  const isNews = played_ms > told_ms || (cleared !== null && isOver);
  if (!isDue || !isNews) return;
  const frame = { type: "played", item: agent_item, ms: Math.round(played_ms) } as const;
  draft.effects.push({ type: "tell_agent", participant, frame });
  changeItem(draft, { ...item, told_ms: played_ms, told_at_ms: now });
}
