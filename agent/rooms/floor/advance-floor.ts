// The floor of a room that speaks: who is heard, what is played of whom, and what cuts it off. Pure: its owner performs the
// effects in their order.
import { MAX_ITEM } from "../../../protocol/voice/limits.ts";
import { cutAll, cutItem, settleItems } from "./cut-items.ts";
import { change, changeItem, type FloorDraft } from "./floor-draft.ts";
import type { FloorEffect, FloorInput } from "./floor-input.ts";
import { isCut, isTaken, mayBeHeard, type FloorItem, type FloorState } from "./floor-state.ts";
import { nextDueMs } from "./due-floor.ts";
import { MAX_FLOOR_ITEMS } from "./limits.ts";

export interface FloorStep {
  readonly state: FloorState;
  readonly effects: readonly FloorEffect[];
}

/** The next state, and what is to be done. Nothing that a person or a session says makes it throw. */
export function advanceFloor(state: FloorState, input: FloorInput): FloorStep {
  const draft: FloorDraft = { now: input.now, state, effects: [] };
  take(draft, input);
  settleItems(draft);
  if (isTaken(state) && !isTaken(draft.state)) draft.effects.push({ type: "freed" });
  draft.effects.push({ type: "schedule", at_ms: nextDueMs(draft.state) });
  return { state: draft.state, effects: draft.effects };
}

function take(draft: FloorDraft, input: FloorInput): void {
  const { state, now } = draft;
  switch (input.type) {
    case "tick":
      return;
    case "joined":
      return join(draft, input.participant);
    case "left":
      return leave(draft, input.participant);
    case "speech_began":
      return beginSpeech(draft, input.participant);
    case "speech_ended":
      if (state.speaker?.participant !== input.participant) return;
      return change(draft, {
        speaker: null,
        writing: state.writing + (input.is_written ? 1 : 0),
        active_ms: now,
      });
    case "speech_settled":
      return change(draft, { writing: Math.max(0, state.writing - 1), active_ms: now });
    case "refused_audio":
      return tellTaken(draft, input.participant);
    case "played":
      return notePlayed(draft, input);
    case "cut_in":
      change(draft, { active_ms: now });
      return cutAll(draft);
    case "reply_began":
      return beginReply(draft, input);
    case "turn_ended":
      return noteSpeech(draft, input.participant, (ended_ms) => ended_ms ?? now);
    case "item_began":
      return beginItem(draft, input);
    case "audio":
      return takeAudio(draft, input);
    case "audio_ended":
      return endItem(draft, findItem(state, input));
    case "audio_cleared": {
      const item = findItem(state, input);
      return item && !item.cleared ? cutItem(draft, item) : undefined;
    }
    case "reply_said":
      return change(draft, {
        replies: state.replies.filter(({ reply_id }) => reply_id !== input.reply_id),
      });
    case "cut_over":
      return change(draft, {
        cuts: state.cuts.map((cut) =>
          cut.participant === input.participant ? { ...cut, is_over: true } : cut,
        ),
      });
    case "cut_settled":
      return change(draft, { cuts: withoutCut(state, input.participant) });
    case "agent_lost":
      return loseAgent(draft, input.participant);
    default:
      return input satisfies never;
  }
}

function withoutCut({ cuts }: FloorState, name: string): FloorState["cuts"] {
  return cuts.filter(({ participant }) => participant !== name);
}

/** Somebody who joins is told whose audio comes. */
function join(draft: FloorDraft, participant: string): void {
  const { state, now } = draft;
  const others = state.people.filter((person) => person.participant !== participant);
  change(draft, { people: [...others, { participant, reports: false }], active_ms: now });
  for (const { item, participant: agent, reply_id, is_done, cleared } of state.items) {
    if (is_done || cleared) continue;
    const frame = { type: "item", item, participant: agent, reply_id } as const;
    draft.effects.push({ type: "send", frame, to: participant });
  }
}

function leave(draft: FloorDraft, participant: string): void {
  const { state } = draft;
  const people = state.people.filter((person) => person.participant !== participant);
  const speaker = state.speaker?.participant === participant ? null : state.speaker;
  const items = state.items.map((item) => ({
    ...item,
    cleared: item.cleared && {
      ...item.cleared,
      awaited: item.cleared.awaited.filter((name) => name !== participant),
    },
  }));
  change(draft, { people, speaker, items });
}

function beginSpeech(draft: FloorDraft, participant: string): void {
  if (!mayBeHeard(draft.state, participant)) return;
  const speaker = draft.state.speaker ?? { participant, told: [] };
  change(draft, { speaker, active_ms: draft.now });
  cutAll(draft);
  draft.effects.push({ type: "interrupt_discussion" });
}

/** A frame to a person whose audio is not heard; one for each turn of the speaker, as microphones send on. */
function tellTaken(draft: FloorDraft, to: string): void {
  const { speaker } = draft.state;
  if (!speaker || speaker.participant === to || speaker.told.includes(to)) return;
  change(draft, { speaker: { ...speaker, told: [...speaker.told, to] } });
  const frame = { type: "floor_taken", participant: speaker.participant } as const;
  draft.effects.push({ type: "send", frame, to });
}

function notePlayed(
  draft: FloorDraft,
  { participant, item: number, ms }: Extract<FloorInput, { type: "played" }>,
): void {
  const people = draft.state.people.map((person) =>
    person.participant === participant ? { ...person, reports: true } : person,
  );
  change(draft, { people });
  const item = draft.state.items.find((each) => each.item === number);
  if (!item) return;
  const played_ms = Math.max(item.played_ms, Math.min(ms, item.ms));
  const cleared = item.cleared && {
    ...item.cleared,
    awaited: item.cleared.awaited.filter((name) => name !== participant),
  };
  changeItem(draft, { ...item, played_ms, cleared });
}

/** A reply has the floor from here on; while a person speaks it is cut off at once, as one that is heard. */
function beginReply(
  draft: FloorDraft,
  { participant, reply_id }: Extract<FloorInput, { type: "reply_began" }>,
): void {
  if (isCut(draft.state, participant)) return;
  holdReply(draft, participant, reply_id);
  if (draft.state.speaker) cutAll(draft);
}

function holdReply(draft: FloorDraft, participant: string, reply_id: string): void {
  const { replies } = draft.state;
  if (replies.some((reply) => reply.reply_id === reply_id)) return;
  change(draft, {
    replies: [...replies, { participant, reply_id, ended_ms: null }],
    active_ms: draft.now,
  });
}

function beginItem(
  draft: FloorDraft,
  { participant, agent_item, reply_id }: Extract<FloorInput, { type: "item_began" }>,
): void {
  const { state, now } = draft;
  if (findItem(state, { participant, agent_item })) return;
  if (isCut(state, participant)) return;
  if (state.people.length === 0 || state.items.length >= MAX_FLOOR_ITEMS) return;
  const before = state.items.at(-1);
  const plays_ms = Math.max(now, before ? before.plays_ms + before.ms : now);
  const { next_item: item } = state;
  const began: FloorItem = {
    item,
    agent_item,
    participant,
    reply_id,
    ms: 0,
    plays_ms,
    is_done: false,
    played_ms: 0,
    told_ms: 0,
    told_at_ms: 0,
    cleared: null,
  };
  const next_item = item >= MAX_ITEM ? 1 : item + 1;
  change(draft, { items: [...state.items, began], next_item, active_ms: now });
  const frame = { type: "item", item, participant, reply_id } as const;
  draft.effects.push({ type: "send", frame, to: null });
}

function takeAudio(draft: FloorDraft, input: Extract<FloorInput, { type: "audio" }>): void {
  const item = findItem(draft.state, input);
  if (!item || item.cleared || item.is_done) return;
  draft.effects.push({ type: "send_audio", item: item.item, ms: item.ms });
  changeItem(draft, { ...item, ms: item.ms + input.ms });
  change(draft, { active_ms: draft.now });
  noteSpeech(draft, input.participant, (ended_ms) => ended_ms && draft.now);
}

function endItem(draft: FloorDraft, item: FloorItem | undefined): void {
  if (!item || item.is_done || item.cleared) return;
  changeItem(draft, { ...item, is_done: true });
  const ms = Math.round(item.ms);
  draft.effects.push({
    type: "send",
    frame: { type: "audio_end", item: item.item, ms },
    to: null,
  });
}

function noteSpeech(
  draft: FloorDraft,
  participant: string,
  next: (ended_ms: number | null) => number | null,
): void {
  const replies = draft.state.replies.map((reply) =>
    reply.participant === participant ? { ...reply, ended_ms: next(reply.ended_ms) } : reply,
  );
  change(draft, { replies });
}

/** Whatever came of its audio is heard to its end. */
function loseAgent(draft: FloorDraft, name: string): void {
  for (const item of draft.state.items) if (item.participant === name) endItem(draft, item);
  const replies = draft.state.replies.filter(({ participant }) => participant !== name);
  change(draft, { replies, cuts: withoutCut(draft.state, name) });
}

function findItem(
  { items }: FloorState,
  { participant, agent_item }: { readonly participant: string; readonly agent_item: number },
): FloorItem | undefined {
  return items.find((item) => item.participant === participant && item.agent_item === agent_item);
}
