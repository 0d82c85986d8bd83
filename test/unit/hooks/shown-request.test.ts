// The request that a hook before a model call is shown: all of it up to a megabyte, then less and less, with a note.
import { describe, expect, it } from "vitest";

import { showRequest } from "../../../agent/hooks/shown-request.ts";
import type { ModelRequest, ToolDeclaration } from "../../../agent/ports.ts";
import { MAX_HOOK_REQUEST_BYTES } from "../../../protocol/hooks/limits.ts";
import { AssistantMsg, UserMsg } from "../../../protocol/messages/constructors.ts";
import { STRUCTURED_OUTPUT_TOOL } from "../../../protocol/schemas/structured-output.ts";
import { utf8Bytes } from "../../../protocol/utf8-bytes.ts";

const flags = { read_only: true, concurrency_safe: true, idempotent: true };

function tool(name: string, input_schema: ToolDeclaration["input_schema"] = {}): ToolDeclaration {
  return { name, description: `The tool ${name}.`, input_schema, ...flags };
}

function requestOf(given: Partial<ModelRequest>): ModelRequest {
  return { system_prompt: "Be kind.", messages: [], tools: [], ...given };
}

const user = (content: string) => UserMsg({ name: "user", content });
const agent = (content: string) => AssistantMsg({ name: "Agent", content });

function textsOf(messages: readonly { readonly content: readonly object[] }[]): string[] {
  return messages.flatMap(({ content }) =>
    content.map((block) => ("text" in block ? String(block.text).slice(0, 3) : "")),
  );
}

describe("a request of less than a megabyte", () => {
  it("is shown whole, in no provider's form", () => {
    const message = user("Hi");
    const schema = { type: "object" };
    const shown = showRequest(
      requestOf({
        messages: [message],
        tools: [tool("pay", schema)],
        options: { tool_choice: "required", parameters: { temperature: 0 } },
      }),
      null,
    );

    expect(shown.note).toBeUndefined();
    expect(shown.request).toEqual({
      system_prompt: "Be kind.",
      messages: [{ id: message.id, role: "user", name: "user", content: message.content }],
      tools: [{ name: "pay", description: "The tool pay.", input_schema: schema }],
      tool_choice: "required",
      structured_schema: null,
    });
  });

  it("has the tool that has to be called before the options' choice", () => {
    const options = { tool_choice: "none" } as const;
    const { request } = showRequest(requestOf({ tool_choice: "pay", options }), null);

    expect(request.tool_choice).toEqual({ name: "pay" });
  });

  it("has the schema of the answer where its tool is offered", () => {
    const schema = { type: "object" };
    const structured = requestOf({ tools: [tool(STRUCTURED_OUTPUT_TOOL, schema)] });

    expect(showRequest(structured, schema).request.structured_schema).toBe(schema);
    expect(showRequest(requestOf({}), schema).request.structured_schema).toBeNull();
  });

  it("is the same text each time, and another one when anything has changed", () => {
    const messages = [user("Hi")];
    const { whole } = showRequest(requestOf({ messages }), null);

    expect(showRequest(requestOf({ messages }), null).whole).toBe(whole);
    expect(showRequest(requestOf({ messages: [...messages, user("!")] }), null).whole).not.toBe(
      whole,
    );
  });
});

describe("a larger request", () => {
  const picture = () =>
    UserMsg({
      name: "user",
      content: [
        {
          type: "data",
          source: { type: "base64", media_type: "image/png", data: "A".repeat(1_200_000) },
        },
        { type: "text", text: "Look." },
      ],
    });

  it.each<[string, Partial<ModelRequest>, string]>([
    ["media loses their data", { messages: [user("old"), picture()] }, "the data of media"],
    [
      "older messages loses them",
      { messages: [user("a".repeat(800_000)), agent("b"), user("c".repeat(800_000))] },
      "the oldest messages",
    ],
    [
      "one long message loses its middle",
      { messages: [user("x".repeat(2_000_000))] },
      "the middle of long texts",
    ],
    [
      "a schema of many members loses it",
      {
        tools: [
          tool("wide", Object.fromEntries(Array.from({ length: 200_000 }, (_, n) => [`m${n}`, n]))),
        ],
      },
      "the schemas",
    ],
    [
      "too many tools loses them",
      { tools: Array.from({ length: 20_000 }, (_, n) => tool(`tool_number_${n}`)) },
      "the schemas, all messages and tools",
    ],
  ])("of %s, and a note says so", (_, given, leftOut) => {
    const { request, note } = showRequest(requestOf(given), null);

    expect(note).toMatch(
      /^The request has \d+ bytes, and a hook is shown 1000000 at most\. Left out: /,
    );
    expect(note?.endsWith(`Left out: ${leftOut}.`)).toBe(true);
    expect(utf8Bytes(JSON.stringify(request))).toBeLessThanOrEqual(MAX_HOOK_REQUEST_BYTES);
    expect(request.system_prompt).toBe("Be kind.");
  });

  it("keeps what the reply answers, however long the conversation is", () => {
    const long = Array.from({ length: 12 }, (_, n) => [
      user(`u${n} ${"x".repeat(60_000)}`),
      agent(`a${n} ${"x".repeat(60_000)}`),
    ]).flat();
    const { request } = showRequest(requestOf({ messages: [...long, user("new")] }), null);

    const kept = [4, 5, 6, 7, 8, 9, 10, 11].flatMap((n) => [`u${n} `, `a${n} `]);
    expect(textsOf(request.messages)).toEqual([...kept.map((text) => text.slice(0, 3)), "new"]);
  });

  it("keeps the texts beside media", () => {
    const { request } = showRequest(requestOf({ messages: [picture()] }), null);

    expect(request.messages[0]?.content).toMatchObject([
      { type: "data", source: { type: "base64", media_type: "image/png", data: "" } },
      { type: "text", text: "Look." },
    ]);
  });
});
