// Stored messages out to the forms of AgentScope 1.x and of AgentScope for Java, and back.
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { MESSAGE_FORMATS } from "../../../protocol/dialects/dialects.ts";
import { formOf, replyInForm } from "../../../protocol/dialects/message-forms.ts";
import { foldEvents } from "../../../protocol/fold/append-event.ts";
import { getTextContent } from "../../../protocol/messages/accessors.ts";
import { AgentScope1MsgSchema, JavaMsgSchema } from "../../../protocol/messages/message-forms.ts";
import { MsgSchema, type Msg } from "../../../protocol/messages/messages.ts";
import { parseMessage, safeParseMessage } from "../../../protocol/parse.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { runs } from "../../support/breadth.ts";
import { eventsArbitrary } from "../../support/event-arbitraries.ts";

const AT = "2026-01-31T12:00:00.000Z";
const times = { created_at: AT, finished_at: AT };
const picture = { type: "base64", data: "YQ==", media_type: "image/png" };

/** Every kind of block, with each member that may be left out. */
const message: Msg = MsgSchema.parse({
  name: "A",
  id: "rep_1",
  role: "assistant",
  content: [
    { type: "thinking", thinking: "Hm.", id: "b1", ...times, signature: "c2ln" },
    { type: "text", text: "Look:", id: "b2", ...times },
    { type: "data", id: "b3", source: picture, name: "x.png", ...times },
    {
      type: "data",
      id: "b4",
      source: { type: "url", url: "https://h/a", media_type: "application/pdf" },
      name: "a.pdf",
      ...times,
    },
    { type: "hint", hint: "Now.", id: "b5", source: "plan", ...times },
    {
      type: "tool_call",
      id: "c1",
      name: "f",
      input: '{"a": 1}',
      state: "finished",
      suggested_rules: [],
      ...times,
      signature: "Q0FF",
    },
    {
      type: "tool_result",
      id: "c1",
      name: "f",
      output: "found",
      state: "error",
      metadata: { receipt: 1 },
      ...times,
    },
    { type: "tool_call", id: "c2", name: "f", input: "{broken", state: "finished", ...times },
    {
      type: "tool_result",
      id: "c2",
      name: "f",
      output: [
        { type: "text", text: "a", id: "t1", ...times },
        { type: "data", id: "t2", source: { ...picture, media_type: "audio/wav" }, ...times },
      ],
      state: "success",
      ...times,
    },
  ],
  metadata: { k: [1] },
  created_at: AT,
  usage: { input_tokens: 1, output_tokens: 2 },
  finished_at: AT,
  finished_reason: "completed",
});

function written(format: (typeof MESSAGE_FORMATS)[number], one: Msg, waiting = null) {
  const form = formOf(format);
  return JSON.parse(JSON.stringify(form ? form.message(one, waiting) : one)) as typeof message;
}

const ofJava = (one: Msg) => JavaMsgSchema.parse(written("agentscope-java", one));
const valued = (content: Msg["content"], value: object): Msg => ({
  ...message,
  content,
  structured_output: value as Msg["structured_output"],
});

describe("a message in the form of 1.x", () => {
  it("has the members of Msg.to_dict and its blocks", () => {
    expect(written("agentscope-1", message)).toEqual({
      id: "rep_1",
      name: "A",
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "c2ln" },
        { type: "text", text: "Look:" },
        { type: "image", source: picture },
        message.content[3],
        message.content[4],
        { type: "tool_use", id: "c1", name: "f", input: { a: 1 }, raw_input: '{"a": 1}' },
        { type: "tool_result", id: "c1", name: "f", output: "found" },
        { type: "tool_use", id: "c2", name: "f", input: {}, raw_input: "{broken" },
        {
          type: "tool_result",
          id: "c2",
          name: "f",
          output: [
            { type: "text", text: "a" },
            { type: "audio", source: { ...picture, media_type: "audio/wav" } },
          ],
        },
      ],
      metadata: { k: [1] },
      timestamp: "2026-01-31 12:00:00.000",
    });
  });

  it("has the value of structured output as its metadata, and as its text where there is none", () => {
    const value = JSON.parse('{"name":"Einstein","__proto__":{"x":1}}') as object;
    const [thought, text] = message.content;

    const spoken = written("agentscope-1", valued([text!], value));
    const silent = written("agentscope-1", valued([thought!], value));

    expect(JSON.stringify(spoken.metadata)).toBe(JSON.stringify(value));
    expect(spoken.content).toEqual([{ type: "text", text: "Look:" }]);
    expect(silent.content.at(-1)).toEqual({ type: "text", text: JSON.stringify(value) });
    expect(Object.getPrototypeOf(silent.metadata)).toBe(Object.prototype);
    expect(getTextContent(valued([thought!], value))).toBe(JSON.stringify(value));
    expect(getTextContent(valued([text!], value))).toBe("Look:");
  });

  it("comes back as the same message, but for what its page lists", () => {
    const back = parseMessage(written("agentscope-1", message));
    const now = expect.any(String);
    const fresh = { id: now, created_at: now, finished_at: null };
    const [thought, text, image, file, hint, call, result, broken, second] = message.content;

    expect(back).toEqual({
      ...message,
      content: [
        { ...thought, ...fresh },
        { ...text, ...fresh },
        { ...image, ...fresh, name: null },
        file,
        hint,
        { ...omit(call, "signature"), ...fresh, id: "c1", state: "pending" },
        { ...result, ...fresh, id: "c1", state: "success", metadata: {} },
        { ...broken, ...fresh, id: "c2", state: "pending" },
        {
          ...second,
          ...fresh,
          id: "c2",
          output: [
            { type: "text", text: "a", ...fresh },
            { ...image, source: { ...picture, media_type: "audio/wav" }, name: null, ...fresh },
          ],
        },
      ],
      created_at: "2026-01-31T12:00:00.000",
      usage: null,
      finished_at: null,
      finished_reason: null,
    });
  });

  it.each([
    ["a text as content", { content: "Hi" }, { content: [{ type: "text", text: "Hi" }] }],
    ["no metadata", { content: [], metadata: null }, { content: [], metadata: {} }],
    [
      "results in a message of the system",
      { role: "system", content: [{ type: "tool_result", id: "c", name: "f", output: "x" }] },
      { role: "assistant", content: [{ type: "tool_result", state: "success" }] },
    ],
    [
      "an input that 1.x has put right",
      {
        content: [{ type: "tool_use", id: "c", name: "f", input: { a: 1 }, raw_input: '{"a": 1' }],
      },
      { content: [{ type: "tool_call", input: '{"a":1}' }] },
    ],
  ])("is understood with %s", (_what, members, expected) => {
    const said = { id: "m", name: "A", role: "assistant", timestamp: "2026-01-31 12:00:00.000" };

    expect(parseMessage({ ...said, ...members })).toMatchObject(expected);
  });
});

describe("a message in Java's form", () => {
  it("comes back as the same message, but for what its page lists", () => {
    const back = parseMessage(ofJava(message));
    const now = expect.any(String);
    const read = { created_at: now, finished_at: null };
    const [thought, text, image, file, hint, call, result, broken, second] = message.content;

    expect(back).toEqual({
      ...message,
      content: [
        { ...thought, ...read },
        { ...text, ...read },
        { ...image, ...read, name: null },
        { ...file, ...read, name: null },
        { ...hint, created_at: now, finished_at: now },
        call,
        { ...result, ...read, output: [{ type: "text", text: "found", id: now, ...read }] },
        broken,
        {
          ...second,
          ...read,
          output: [
            { type: "text", text: "a", id: "t1", ...read },
            {
              ...image,
              id: "t2",
              source: { ...picture, media_type: "audio/wav" },
              name: null,
              ...read,
            },
          ],
        },
      ],
    });
  });

  it.each([
    ["awaiting_permission", "PERMISSION_ASKING"],
    ["awaiting_external_result", "TOOL_SUSPENDED"],
    ["running", undefined],
    ["completed", "MODEL_STOP"],
  ] as const)("of a reply that is %s has the reason %s", (status, reason) => {
    const isOver = status === "completed";
    const open = { ...message, finished_at: null, finished_reason: null };
    const reply = {
      id: "rep_1",
      session_id: "ses_1",
      status,
      message: isOver ? message : open,
      pending: [],
      error: null,
      usage: null,
      cursor: 1,
    } as Reply;

    const { message: shown } = replyInForm(reply, formOf("agentscope-java")) as {
      message: { metadata: Record<string, unknown> };
    };

    expect(shown.metadata["agentscope_generate_reason"]).toBe(reason);
  });

  it("carries no members but its own", () => {
    const reprise = { role: "user", content: [], id: "other", usage: 7, finished_at: "F" };
    const forged = { role: "ASSISTANT", id: "m", content: [], metadata: { reprise } };

    expect(parseMessage(forged)).toMatchObject({
      role: "assistant",
      id: "m",
      usage: null,
      metadata: {},
      finished_at: "F",
    });
    const native = { name: "A", role: "user", content: [], metadata: { reprise } };
    expect(parseMessage(native).metadata).toEqual({ reprise });
  });
});

const SCHEMAS = {
  agentscope: null,
  "agentscope-1": AgentScope1MsgSchema,
  "agentscope-java": JavaMsgSchema,
};

describe.each(MESSAGE_FORMATS)("%s", (format) => {
  const schema = SCHEMAS[format];

  it("writes any message that events fold to, and reads it again", () => {
    fc.assert(
      fc.property(eventsArbitrary, (events) => {
        const folded = foldEvents(events);
        if (!folded) return;
        const shown = written(format, folded);
        if (schema) expect(schema.safeParse(shown).error).toBe(undefined);
        const read = safeParseMessage(shown);
        expect(read.error?.issues).toBe(undefined);
        const kept = folded.content.filter(
          (block) =>
            format !== "agentscope-1" || block.type !== "tool_result" || block.state !== "running",
        );
        expect(read.data?.content.map(({ type }) => type)).toEqual(kept.map(({ type }) => type));
      }),
      { numRuns: runs(100) },
    );
  });

  it("writes a message of an older build, and one of a newer one", () => {
    const older = {
      name: "A",
      role: "assistant",
      id: "m",
      created_at: "T",
      content: [
        {
          type: "tool_call",
          id: "c",
          name: "f",
          input: "x".repeat(1_000_000),
          state: "finished",
          suggested_rules: [],
        },
        { type: "tool_result", id: "c", name: "f", output: "", state: "success", metadata: {} },
        { type: "brand_new", id: "n", value: 1 },
      ],
    } as unknown as Msg;

    const { content } = written(format, older);

    expect(content).toHaveLength(3);
    expect(content[2]).toEqual({ type: "brand_new", id: "n", value: 1 });
  });

  it("writes an input that is too deep or has too many values as text alone", () => {
    const [, , , , , call] = message.content;
    const inputs = [`{"a":${"[".repeat(500_000)}`, `{"a":[${"0,".repeat(500_000)}0]}`];
    for (const input of inputs) {
      const [block] = written(format, {
        ...message,
        content: [{ ...call, input } as never],
      }).content;
      const read = parseMessage(
        written(format, { ...message, content: [{ ...call, input } as never] }),
      );
      expect(Object.values(block!)).toContain(input);
      expect(read.content[0]).toMatchObject({ type: "tool_call", input });
    }
  });
});

function omit(block: object | undefined, name: string): object {
  return Object.fromEntries(Object.entries(block ?? {}).filter(([key]) => key !== name));
}
