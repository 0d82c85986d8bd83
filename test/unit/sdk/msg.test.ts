// `@reprise/sdk/message`: the fold of the protocol as an object, as the seed documents show it for TypeScript.
import { AssistantMsg, EventType, Msg, SystemMsg, UserMsg } from "@reprise/sdk/message";
import { describe, expect, it } from "vitest";

import { appendEvent, startMessage } from "../../../protocol/fold/append-event.ts";
import type { AgentEvent, EventOf } from "../../../protocol/events.ts";
import { readConformanceFile } from "../../support/conformance-files.ts";
import { deepFreeze } from "../../support/deep-freeze.ts";
import { caseEvent, fold } from "../../support/fold.ts";

interface Case {
  readonly id: string;
  readonly name: string;
  readonly events: readonly Record<string, unknown>[];
  readonly expected: Record<string, unknown>;
}

const CASES = JSON.parse(readConformanceFile("append_event.json")) as readonly Case[];
const START = { id: "r1", name: "A", content: [], created_at: "T0" };

/** The placeholders of the cases stand for any string. */
function withPlaceholders(value: unknown): unknown {
  if (value === "<gen>" || value === "<ts>") return expect.any(String);
  if (Array.isArray(value)) return value.map(withPlaceholders);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withPlaceholders(member)]),
  );
}

/** Two words, and the end. */
const REPLY = [
  { type: "REPLY_START", session_id: "s1", name: "Desk" },
  { type: "TEXT_BLOCK_START", block_id: "b1" },
  { type: "TEXT_BLOCK_DELTA", block_id: "b1", delta: "Good " },
  { type: "TEXT_BLOCK_DELTA", block_id: "b1", delta: "day" },
  { type: "TEXT_BLOCK_END", block_id: "b1" },
  { type: "REPLY_END", session_id: "s1" },
].map(caseEvent);

describe("a message that takes events", () => {
  it.each(CASES.map((row) => [`${row.id} ${row.name}`, row] as const))(
    "holds what the reference holds: %s",
    (_title, { events, expected }) => {
      const message = new AssistantMsg(START);

      for (const fields of events) message.appendEvent(deepFreeze(caseEvent(fields)));

      expect(message).toMatchObject(withPlaceholders(expected) as object);
      expect(JSON.stringify(message)).toBe(JSON.stringify(fold(events)));
    },
  );

  it("is read as the seed documents read it", () => {
    let msg: Msg | null = null;
    for (const event of REPLY) {
      if (event.type === EventType.REPLY_START) {
        msg = new AssistantMsg({ name: event.name, content: [], id: event.reply_id });
      } else {
        msg?.appendEvent(event);
      }
    }

    expect(msg?.getTextContent()).toBe("Good day");
    expect(msg).toMatchObject({ name: "Desk", role: "assistant", id: "r1", finished_at: "T" });
  });

  it("serialises as the platform's message, member by member, when it has the time of the start", () => {
    const [start, ...events] = REPLY as [EventOf<"REPLY_START">, ...AgentEvent[]];
    const message = new Msg(startMessage(start));

    for (const event of events) expect(message.appendEvent(event)).toBe(message);

    const stored = events.reduce(appendEvent, startMessage(start));
    expect(JSON.stringify(message)).toBe(JSON.stringify(stored));
    expect(JSON.stringify(new Msg(stored))).toBe(JSON.stringify(stored));
  });

  it("goes on from a stored message", () => {
    const whole = REPLY.slice(1).reduce(appendEvent, startMessage(REPLY[0] as never));
    const half = REPLY.slice(1, 3).reduce(appendEvent, startMessage(REPLY[0] as never));
    const message = new Msg(JSON.parse(JSON.stringify(half)) as Msg);

    for (const event of REPLY.slice(3)) message.appendEvent(event);

    expect(JSON.stringify(message)).toBe(JSON.stringify(whole));
  });

  it("leaves events of other replies and of unknown types without effect", () => {
    const message = new AssistantMsg(START);
    const before = JSON.stringify(message);

    message.appendEvent({ ...REPLY[1], reply_id: "r2" } as AgentEvent);
    message.appendEvent({ ...REPLY[1], type: "NEWER_THAN_THIS" } as never);

    expect(JSON.stringify(message)).toBe(before);
  });

  it("replaces the blocks that change, so that a view may compare them", () => {
    const message = new AssistantMsg(START);
    for (const event of REPLY.slice(1, 3)) message.appendEvent(event);
    const [before] = message.content;
    const list = message.content;

    message.appendEvent(REPLY[3] as AgentEvent);

    expect(before).toMatchObject({ text: "Good " });
    expect(message.content).not.toBe(list);
    expect(message.content[0]).toMatchObject({ text: "Good day" });
  });
});

describe("the parts of a message", () => {
  const message = new AssistantMsg("desk", [
    { type: "text", text: "one", id: "t1" },
    { type: "thinking", thinking: "hm", id: "k1", signature: "s" },
    { type: "text", text: "two", id: "t2" },
  ]);

  it("are found by type", () => {
    expect(message.getTextContent()).toBe("one\ntwo");
    expect(message.getTextContent(" ")).toBe("one two");
    expect(message.getContentBlocks("text").map(({ text }) => text)).toEqual(["one", "two"]);
    expect(message.getContentBlocks(["text", "thinking"])).toEqual(message.content);
    expect(message.getContentBlocks()).toEqual(message.content);
    expect(message.getFirstContentBlock("thinking")?.["signature"]).toBe("s");
    expect(message.getFirstContentBlock("data")).toBeNull();
    expect([message.hasContentBlocks("data"), message.hasContentBlocks()]).toEqual([false, true]);
    expect(new AssistantMsg("desk", []).getTextContent()).toBeNull();
  });

  it("are bound by the role when the message is made", () => {
    const thinking = [{ type: "thinking", thinking: "hm" }] as const;

    expect(() => new UserMsg("kim", thinking)).toThrow(TypeError);
    expect(() => new SystemMsg({ name: "rules", content: thinking })).toThrow(TypeError);
    expect(() => new Msg({ name: "x", content: "", role: "tool" as never })).toThrow(
      'no message has the role "tool"',
    );
    expect(() => new Msg({ name: "x", content: "", role: "toString" as never })).toThrow(TypeError);
    expect(new UserMsg("kim", "Hello")).toMatchObject({
      role: "user",
      content: [{ type: "text", text: "Hello" }],
      finished_at: expect.any(String),
    });
    expect(new UserMsg("kim", "Hello")).toBeInstanceOf(Msg);
  });
});
