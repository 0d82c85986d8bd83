// The list of waiting calls as a person sees it. Cards keep their places: what a look brings is put behind them, and what
// was answered stays until the person puts it away.
import type { Confirmation } from "../../../sdk/index.ts";
import type { CallOutcome } from "./answer-calls.ts";

type CardState =
  | { readonly type: "waiting"; readonly failure: string | null }
  /** Its answer is on its way: a look does not say who has given it. */
  | { readonly type: "sending" }
  | { readonly type: "settled"; readonly by: "me"; readonly intent: string }
  /** Answered elsewhere, expired or interrupted. `tried` is the answer that came too late from here. */
  | { readonly type: "settled"; readonly by: "others"; readonly tried: string | null };

export interface Card {
  readonly key: string;
  readonly call: Confirmation;
  /** Another one for another question of the same call: a press on the former does not count for it. */
  readonly edition: string;
  readonly state: CardState;
}

/** An answer that this page gave, or saw. */
export interface Answered {
  readonly key: string;
  readonly call: Confirmation;
  readonly outcome: CallOutcome;
  readonly by: "me" | "others";
  /** UTC milliseconds. */
  readonly atMs: number;
}

export interface WaitingList {
  readonly cards: readonly Card[];
  /** Newest first. */
  readonly answers: readonly Answered[];
}

export const NO_CARDS: WaitingList = { cards: [], answers: [] };

/** Answers that are kept; older ones are in the history. */
const MAX_ANSWERS = 500;

export type ListEvent =
  /** `isWhole`: no further call waits behind these. */
  | {
      readonly type: "looked";
      readonly calls: readonly Confirmation[];
      readonly isWhole: boolean;
      readonly nowMs: number;
    }
  | { readonly type: "sent"; readonly keys: readonly string[] }
  | { readonly type: "told"; readonly outcomes: readonly CallOutcome[]; readonly nowMs: number }
  /** The request as a whole has failed: its calls may wait, or not. */
  | { readonly type: "failed"; readonly keys: readonly string[]; readonly failure: string }
  /** Without keys: all that are settled. */
  | { readonly type: "put away"; readonly keys?: readonly string[] }
  | { readonly type: "answers cleared" }
  /** Another filter shows another list. */
  | { readonly type: "filtered" };

/** Names a call across the sessions of a tenant. */
export function keyOfCall({
  session_id,
  tool_call_id,
}: Pick<Confirmation, "session_id" | "tool_call_id">): string {
  return `${session_id} ${tool_call_id}`;
}

export function editionOf({ asked_at, elicitation, authorization }: Confirmation): string {
  return [asked_at, elicitation?.round ?? "", authorization?.connection_id ?? ""].join(" ");
}

export function reduceList(list: WaitingList, event: ListEvent): WaitingList {
  switch (event.type) {
    case "looked":
      return look(list, event);
    case "sent":
      return withStates(list, event.keys, () => ({ type: "sending" }));
    case "told":
      return tell(list, event);
    case "failed":
      return withStates(list, event.keys, (state) =>
        state.type === "settled" ? state : { type: "waiting", failure: event.failure },
      );
    case "put away": {
      const keys = event.keys && new Set(event.keys);
      const isKept = ({ key, state }: Card) =>
        state.type !== "settled" || (keys !== undefined && !keys.has(key));
      return { ...list, cards: list.cards.filter(isKept) };
    }
    case "answers cleared":
      return { ...list, answers: [] };
    case "filtered":
      return { ...list, cards: [] };
    default:
      return event satisfies never;
  }
}

function look(
  list: WaitingList,
  { calls, isWhole, nowMs }: Extract<ListEvent, { type: "looked" }>,
): WaitingList {
  const { cards, answers } = list;
  const listed = new Map(calls.map((call) => [keyOfCall(call), call]));
  const last = calls.at(-1);
  const gone: Card[] = [];
  const kept = cards.map((card): Card => {
    const call = listed.get(card.key);
    listed.delete(card.key);
    if (call) return refresh(card, call);
    const isCovered = isWhole || (last !== undefined && positionOf(card.call) <= positionOf(last));
    if (card.state.type !== "waiting" || !isCovered) return card;
    gone.push(card);
    return { ...card, state: { type: "settled", by: "others", tried: null } };
  });
  const isSame = gone.length === 0 && listed.size === 0;
  if (isSame && kept.every((card, index) => card === cards[index])) return list;
  const arrived = [...listed.values()].map(cardOf);
  const seen = gone.map(({ key, call }): Answered => {
    const outcome: CallOutcome = { call, intent: "", kind: "elsewhere", detail: "" };
    return { key, call, outcome, by: "others", atMs: nowMs };
  });
  return { cards: [...kept, ...arrived], answers: withAnswers(answers, seen) };
}

/** The card with what the look says of its call. Another question of a call that was answered waits again, in its place. */
function refresh(card: Card, call: Confirmation): Card {
  const edition = editionOf(call);
  if (edition === card.edition) return card;
  return { ...card, call, edition, state: { type: "waiting", failure: null } };
}

function cardOf(call: Confirmation): Card {
  return {
    key: keyOfCall(call),
    call,
    edition: editionOf(call),
    state: { type: "waiting", failure: null },
  };
}

function tell(
  list: WaitingList,
  { outcomes, nowMs }: Extract<ListEvent, { type: "told" }>,
): WaitingList {
  const byKey = new Map(outcomes.map((outcome) => [keyOfCall(outcome.call), outcome]));
  const told = withStates(list, [...byKey.keys()], (before, card) => {
    const outcome = byKey.get(card.key);
    // Meanwhile it asks another question: the outcome is about the one before.
    if (!outcome || editionOf(outcome.call) !== card.edition) return before;
    if (outcome.kind === "done") return { type: "settled", by: "me", intent: outcome.intent };
    if (outcome.kind === "refused") return { type: "waiting", failure: outcome.detail };
    return { type: "settled", by: "others", tried: outcome.intent };
  });
  const given = [...byKey].map(([key, outcome]): Answered => {
    return { key, call: outcome.call, outcome, by: "me", atMs: nowMs };
  });
  // A call that was seen to be gone may turn out to have been answered from here.
  const others = told.answers.filter(
    ({ by, key, call }) =>
      by === "me" || editionOf(call) !== editionOf(byKey.get(key)?.call ?? call) || !byKey.has(key),
  );
  return { ...told, answers: withAnswers(others, given) };
}

/** In the order in which they were given, before the older ones. */
function withAnswers(
  answers: readonly Answered[],
  added: readonly Answered[],
): readonly Answered[] {
  return added.length === 0 ? answers : [...added, ...answers].slice(0, MAX_ANSWERS);
}

function withStates(
  list: WaitingList,
  keys: readonly string[],
  next: (state: CardState, card: Card) => CardState,
): WaitingList {
  const changed = new Set(keys);
  const cards = list.cards.map((card) =>
    changed.has(card.key) ? { ...card, state: next(card.state, card) } : card,
  );
  return { ...list, cards };
}

/** Place in the platform's list, oldest first. */
function positionOf({ asked_at, session_id, tool_call_id }: Confirmation): string {
  return `${asked_at} ${session_id} ${tool_call_id}`;
}

/** Number of calls that came and that went with a look, for who does not see the list. */
export function changeOf(
  before: WaitingList,
  after: WaitingList,
): { readonly arrived: number; readonly gone: number } {
  const known = new Map(before.cards.map((card) => [card.key, card.state]));
  const isOthers = ({ state }: Card) => state.type === "settled" && state.by === "others";
  return {
    arrived: after.cards.filter(({ key, state }) => state.type === "waiting" && !known.has(key))
      .length,
    gone: after.cards.filter((card) => isOthers(card) && known.get(card.key)?.type === "waiting")
      .length,
  };
}

/** The card that gets the focus when this one is done with: the next that waits, else the one before; null for none. */
export function nextCard(
  cards: readonly Card[],
  key: string,
  isOpen: (card: Card) => boolean,
): string | null {
  const index = cards.findIndex((card) => card.key === key);
  const behind = cards.slice(index + 1).find(isOpen);
  return (behind ?? cards.slice(0, Math.max(index, 0)).findLast(isOpen))?.key ?? null;
}
