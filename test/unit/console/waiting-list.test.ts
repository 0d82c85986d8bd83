import fc from "fast-check";
import { expect, test } from "vitest";

import type { Confirmation } from "../../../sdk/index.ts";
import type { CallOutcome } from "../../../console/pages/inbox/answer-calls.ts";
import {
  changeOf,
  nextCard,
  NO_CARDS,
  reduceList,
  type ListEvent,
  type WaitingList,
} from "../../../console/pages/inbox/waiting-list.ts";

function call(number: number, asked = number): Confirmation {
  return {
    kind: "permission",
    session_id: `ses_${number}`,
    reply_id: "rep_1",
    agent_id: "agt_1",
    end_user_id: null,
    tool_call_id: "call_1",
    tool_name: "refund",
    tool_call: null,
    input_hash: null,
    suggested_rules: [],
    asked_at: new Date(asked * 1_000).toISOString(),
    expires_at: null,
  };
}

const keyOf = (number: number) => `ses_${number} call_1`;

function look(calls: readonly Confirmation[], isWhole = true): ListEvent {
  return { type: "looked", calls, isWhole, nowMs: 0 };
}

function outcome(
  number: number,
  kind: CallOutcome["kind"],
  asked = number,
): Extract<ListEvent, { type: "told" }> {
  const intent = "approved";
  return {
    type: "told",
    outcomes: [{ call: call(number, asked), intent, kind, detail: intent }],
    nowMs: 5,
  };
}

function after(...events: readonly ListEvent[]): WaitingList {
  return events.reduce(reduceList, NO_CARDS);
}

const shown = ({ cards }: WaitingList) =>
  cards.map(({ call: { session_id }, state }) => [session_id, state.type]);

test("a call that another person answers keeps its place, and one that comes is put behind all", () => {
  const list = after(look([call(1), call(2)]), look([call(0), call(2)]));

  expect(shown(list)).toEqual([
    ["ses_1", "settled"],
    ["ses_2", "waiting"],
    ["ses_0", "waiting"],
  ]);
  expect(list.answers.map(({ key, by }) => [key, by])).toEqual([[keyOf(1), "others"]]);
});

test("a look that ends before a call says nothing of it", () => {
  const list = after(look([call(1), call(2), call(3)]), look([call(2)], false));

  expect(shown(list)).toEqual([
    ["ses_1", "settled"],
    ["ses_2", "waiting"],
    ["ses_3", "waiting"],
  ]);
});

test("a look does not say who has answered what is on its way, and an answer that failed waits again", () => {
  const sending = after(look([call(1)]), { type: "sent", keys: [keyOf(1)] }, look([]));
  const failed = reduceList(sending, { type: "failed", keys: [keyOf(1)], failure: "no answer" });

  expect(shown(sending)).toEqual([["ses_1", "sending"]]);
  expect(failed.cards[0]?.state).toEqual({ type: "waiting", failure: "no answer" });
  expect(shown(reduceList(failed, look([])))).toEqual([["ses_1", "settled"]]);
});

test("outcomes: mine, too late, refused", () => {
  const list = after(look([call(1), call(2), call(3)]));
  const told = (kind: CallOutcome["kind"]) => reduceList(list, outcome(1, kind)).cards[0]?.state;

  expect(told("done")).toEqual({ type: "settled", by: "me", intent: "approved" });
  expect(told("elsewhere")).toEqual({ type: "settled", by: "others", tried: "approved" });
  expect(told("refused")).toEqual({ type: "waiting", failure: "approved" });
});

test("a list that is older than the answer does not make the call wait again; another question of it does, in its place", () => {
  const answered = after(look([call(1), call(2)]), outcome(1, "done"));

  expect(shown(reduceList(answered, look([call(1), call(2)])))).toEqual(shown(answered));
  expect(shown(reduceList(answered, look([call(2), call(1, 9)])))).toEqual([
    ["ses_1", "waiting"],
    ["ses_2", "waiting"],
  ]);
});

test("an outcome about a question that is no longer the card's does not settle it", () => {
  const list = after(look([call(1, 9)]), outcome(1, "done", 1));

  expect(shown(list)).toEqual([["ses_1", "waiting"]]);
});

test("an answer that came too late is in the list of answers once", () => {
  const list = after(look([call(1)]), look([]), outcome(1, "elsewhere"));

  expect(list.answers.map(({ by }) => by)).toEqual(["me"]);
});

test("only answered cards are put away", () => {
  const list = after(look([call(1), call(2), call(3)]), look([call(3)]));

  expect(shown(reduceList(list, { type: "put away", keys: [keyOf(1), keyOf(3)] }))).toEqual([
    ["ses_2", "settled"],
    ["ses_3", "waiting"],
  ]);
  expect(shown(reduceList(list, { type: "put away" }))).toEqual([["ses_3", "waiting"]]);
});

test("a look without news is the same list, and one with news says how many came and went", () => {
  const list = after(look([call(1), call(2)]));

  expect(reduceList(list, look([call(1), call(2)]))).toBe(list);
  expect(changeOf(list, reduceList(list, look([call(2), call(3), call(4)])))).toEqual({
    arrived: 2,
    gone: 1,
  });
});

test("the focus goes to the next card that waits, else to the one before, else nowhere", () => {
  const { cards } = after(look([call(1), call(2), call(3)]), outcome(2, "done"));
  const waits = ({ state }: (typeof cards)[number]) => state.type === "waiting";

  expect(nextCard(cards, keyOf(1), waits)).toBe(keyOf(3));
  expect(nextCard(cards, keyOf(3), waits)).toBe(keyOf(1));
  expect(nextCard(cards, keyOf(2), () => false)).toBe(null);
});

test("whatever others do, no card that stays changes its place among the others", () => {
  const event: fc.Arbitrary<ListEvent> = fc.oneof(
    fc.tuple(fc.uniqueArray(fc.nat(9)), fc.boolean()).map(([numbers, isWhole]) =>
      look(
        numbers.sort().map((number) => call(number)),
        isWhole,
      ),
    ),
    fc
      .tuple(fc.nat(9), fc.constantFrom("done", "elsewhere", "refused"))
      .map(([number, kind]) => outcome(number, kind)),
    fc.nat(9).map((number): ListEvent => ({ type: "sent", keys: [keyOf(number)] })),
    fc
      .nat(9)
      .map((number): ListEvent => ({ type: "failed", keys: [keyOf(number)], failure: "cut" })),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      let list = NO_CARDS;
      for (const next of events) {
        const before = list.cards.map(({ key }) => key);
        list = reduceList(list, next);
        const keys = list.cards.map(({ key }) => key);
        expect(keys.slice(0, before.length)).toEqual(before);
      }
    }),
  );
});
