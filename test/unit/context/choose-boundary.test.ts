// The place at which a conversation is cut, whatever it consists of.
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  beforeCut,
  chooseBoundary,
  requestIndex,
  type BoundaryWish,
} from "../../../agent/context/choose-boundary.ts";
import { afterBoundary } from "../../../agent/context/context-view.ts";
import type { ContentBlock } from "../../../protocol/messages/blocks.ts";
import { AssistantMsg, UserMsg } from "../../../protocol/messages/constructors.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { runs } from "../../support/breadth.ts";

const sizes = new WeakMap<ContentBlock, number>();
const count = (block: ContentBlock): number => sizes.get(block) ?? 1;
const total = (messages: readonly Msg[]): number =>
  messages.flatMap(({ content }) => content).reduce((sum, block) => sum + count(block), 0);

interface Turn {
  readonly hint: boolean;
  readonly thinking: boolean;
  readonly text: boolean;
  readonly calls: number;
  readonly size: number;
}

const turns = fc.array(
  fc.record({
    hint: fc.boolean(),
    thinking: fc.boolean(),
    text: fc.boolean(),
    calls: fc.integer({ min: 0, max: 3 }),
    size: fc.integer({ min: 0, max: 30 }),
  }),
  { maxLength: 5 },
);
const conversations = fc.array(
  fc.record({
    users: fc.integer({ min: 1, max: 2 }),
    size: fc.integer({ min: 0, max: 30 }),
    turns,
  }),
  { minLength: 1, maxLength: 6 },
);

type Part = { users: number; size: number; turns: readonly Turn[] };

function build(parts: readonly Part[]): readonly Msg[] {
  let ids = 0;
  const id = (): string => `b${(ids += 1)}`;
  const sized = (message: Msg, size: number): Msg => {
    for (const block of message.content) sizes.set(block, size);
    return message;
  };
  return parts
    .flatMap(({ users, size, turns: all }, index) => [
      ...Array.from({ length: users }, (_, user) =>
        sized(
          UserMsg("user", [{ type: "text", text: "x", id: id() }], { id: `u${index}.${user}` }),
          size,
        ),
      ),
      AssistantMsg(
        "agent",
        all.flatMap((turn) => blocksOf(turn, id)),
        { id: `a${index}` },
      ),
    ])
    .map((message) => {
      const assistant = /^a(\d+)$/.exec(message.id);
      if (!assistant) return message;
      let block = 0;
      for (const turn of parts[Number(assistant[1])]?.turns ?? []) {
        const length = blocksOf(turn, () => "").length;
        for (const one of message.content.slice(block, block + length)) sizes.set(one, turn.size);
        block += length;
      }
      return message;
    });
}

function blocksOf({ hint, thinking, text, calls }: Turn, id: () => string) {
  const ids = Array.from({ length: calls }, id);
  return [
    ...(hint ? [{ type: "hint", hint: "x", id: id() } as const] : []),
    ...(thinking ? [{ type: "thinking", thinking: "x", id: id() } as const] : []),
    ...(text ? [{ type: "text", text: "x", id: id() } as const] : []),
    ...ids.map((call) => ({ type: "tool_call", id: call, name: "f", input: "{}" }) as const),
    ...ids.map((call) => ({ type: "tool_result", id: call, name: "f", output: "x" }) as const),
  ];
}

interface Wish extends Omit<BoundaryWish, "reply_id" | "count" | "reach"> {
  readonly isRunning: boolean;
}

const wishes: fc.Arbitrary<Wish> = fc.record({
  keep_recent: fc.integer({ min: 0, max: 5 }),
  room: fc.integer({ min: 0, max: 200 }),
  isRunning: fc.boolean(),
  isAll: fc.boolean(),
});

function choose(messages: readonly Msg[], wish: Wish) {
  const { isRunning, ...rest } = wish;
  const given: BoundaryWish = {
    ...rest,
    reach: rest.room * 1.5,
    reply_id: isRunning ? (messages.at(-1)?.id ?? null) : null,
    count,
  };
  return chooseBoundary(messages, given);
}

/** Messages behind the boundary that the cut is stored as. */
function behind(messages: readonly Msg[], cut: NonNullable<ReturnType<typeof choose>>) {
  const message = messages[cut.message]!;
  const block_id = cut.block === null ? null : message.content[cut.block]!.id;
  return afterBoundary(messages, { boundary: { message_id: message.id, block_id } });
}

function property(check: (messages: readonly Msg[], wish: Wish) => void) {
  fc.assert(
    fc.property(conversations, wishes, (parts, wish) => check(build(parts), wish)),
    { numRuns: runs(1_000) },
  );
}

describe("the boundary of a compression", () => {
  it("never parts a call from its result, and splits a message only before a turn of its model", () => {
    property((messages, wish) => {
      const cut = choose(messages, wish);
      if (!cut) return;
      const kept = behind(messages, cut).flatMap(({ content }) => content);
      const idsOf = (type: string) => kept.filter((one) => one.type === type).map(({ id }) => id);
      expect(idsOf("tool_result")).toEqual(idsOf("tool_call"));
      const [first] = behind(messages, cut);
      const isInside = first && first.id === messages[cut.message]!.id && cut.block !== null;
      if (!isInside) return;
      const last = messages[cut.message]!.content[cut.block!]!;
      expect([last.type, first.content[0]?.type === "tool_result"]).toEqual(["tool_result", false]);
    });
  });

  it("parts the conversation in two, of which nothing is lost", () => {
    property((messages, wish) => {
      const cut = choose(messages, wish);
      if (!cut) return;
      const blocks = (list: readonly Msg[]) => list.flatMap(({ content }) => content);
      expect([...blocks(beforeCut(messages, cut)), ...blocks(behind(messages, cut))]).toEqual(
        blocks(messages),
      );
      expect(cut.after).toBe(total(behind(messages, cut)));
    });
  });

  it("leaves no more than there is room for, unless there is no later one", () => {
    property((messages, { isAll: _, ...wish }) => {
      const cut = choose(messages, { ...wish, isAll: false });
      const left = cut?.after ?? total(messages);
      if (left <= wish.room * 1.5) return;
      const rest = cut ? behind(messages, cut) : messages;
      expect(choose(rest, { ...wish, room: 0, keep_recent: 0, isAll: false })).toBeNull();
    });
  });

  it("is not found again in what is left", () => {
    property((messages, wish) => {
      const cut = choose(messages, wish);
      if (!cut) return;
      // A request has no empty messages.
      const rest = behind(messages, cut).filter(({ content }) => content.length > 0);
      expect(choose(rest, wish)).toBeNull();
    });
  });

  it("keeps the newest turn of a running reply, with the results that its model has not read", () => {
    property((messages, wish) => {
      const cut = choose(messages, { ...wish, isRunning: true });
      if (!cut) return;
      const rest = behind(messages, cut);
      const { id: reply, content } = messages.at(-1)!;
      const isUnread = ({ type }: ContentBlock) => type === "tool_result" || type === "hint";
      const read = content.map(isUnread).lastIndexOf(false);
      expect(rest.at(-1)?.id).toBe(reply);
      expect(rest.at(-1)!.content).toEqual(expect.arrayContaining(content.slice(read)));
    });
  });

  it("keeps as many of the newest messages as it is asked to when they fit", () => {
    property((messages, { isAll: _, ...wish }) => {
      const recent = messages.slice(Math.max(0, messages.length - wish.keep_recent));
      if (total(recent) > wish.room) return;
      const cut = choose(messages, { ...wish, isAll: false, isRunning: false });
      const rest = cut ? behind(messages, cut) : messages;
      const kept = rest.filter(({ content }) => content.length > 0).map(({ id }) => id);
      const asked = recent.filter(({ content }) => content.length > 0).map(({ id }) => id);
      expect(kept).toEqual(expect.arrayContaining(asked));
    });
  });
});

const BATCH = AssistantMsg(
  "agent",
  [
    { type: "thinking", thinking: "hm", id: "t1" },
    { type: "tool_call", id: "c1", name: "f", input: "{}" },
    { type: "tool_call", id: "c2", name: "f", input: "{}" },
    { type: "tool_result", id: "c1", name: "f", output: "one" },
    { type: "tool_result", id: "c2", name: "f", output: "two" },
    { type: "text", text: "done", id: "x1" },
  ],
  { id: "a1" },
);

describe("one message", () => {
  const wish = { keep_recent: 1, reply_id: null, count: () => 10, reach: 75 };

  it("is cut behind the whole batch of calls, so that its text stays (H35)", () => {
    const cut = chooseBoundary([BATCH], { ...wish, room: 35 });

    expect(cut).toEqual({ message: 0, block: 4, after: 10 });
    expect(behind([BATCH], cut!)).toEqual([{ ...BATCH, content: [BATCH.content[5]] }]);
  });

  it("of a running reply stays whole while its only results are new", () => {
    const running = { ...BATCH, content: BATCH.content.slice(0, 5) };

    expect(chooseBoundary([running], { ...wish, room: 0, reply_id: "a1" })).toBeNull();
  });

  it("is what a running reply keeps, with the words of the user before it", () => {
    const messages = [
      UserMsg("user", "old", { id: "u0" }),
      AssistantMsg("agent", "old", { id: "a0" }),
      UserMsg("user", "new", { id: "u1" }),
      BATCH,
    ];

    expect(requestIndex(messages, "a1")).toBe(2);
    expect(chooseBoundary(messages, { ...wish, keep_recent: 0, room: 50, reply_id: "a1" })).toEqual(
      {
        message: 1,
        block: null,
        after: 70,
      },
    );
    expect(
      chooseBoundary(messages, { ...wish, keep_recent: 0, room: 40, reach: 60, reply_id: "a1" }),
    ).toEqual({
      message: 3,
      block: 4,
      after: 10,
    });
    expect(
      chooseBoundary(messages.slice(0, 3).concat({ ...BATCH, content: [] }), {
        ...wish,
        room: 0,
        reply_id: "a1",
        isAll: true,
      }),
    ).toMatchObject({ message: 1 });
  });
});
