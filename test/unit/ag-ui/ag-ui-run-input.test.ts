// Input with which a client of AG-UI may begin a run, and the platform's reading of it.
import { RunAgentInputSchema as ClientSchema } from "@ag-ui/core/schemas";
import { describe, expect, it } from "vitest";

import { RunAgentInputSchema } from "../../../protocol/ag-ui/contract.ts";
import { readRunInput } from "../../../protocol/dialects/ag-ui/input/read-run-input.ts";
import type { RunInput } from "../../../protocol/dialects/ag-ui/input/run-input.ts";
import { MAX_CLIENT_BYTES } from "../../../protocol/ag-ui/limits.ts";
import { checkFields } from "../../../worker/requests/check-fields.ts";

const BASE = { threadId: "t", runId: "r", messages: [] };

function read(members: object): RunInput {
  const outcome = readRunInput(RunAgentInputSchema.parse({ ...BASE, ...members }));
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.refusal));
  return outcome.value;
}

/** Pointers of what is wrong with the body's shape. */
function wrong(members: object): readonly string[] {
  return wrongIn({ ...BASE, ...members });
}

function wrongIn(body: object): readonly string[] {
  const checked = checkFields(RunAgentInputSchema, body);
  return checked.ok ? [] : checked.errors.map(({ pointer }) => pointer);
}

function parts(...content: readonly object[]): object {
  return { messages: [{ id: "u1", role: "user", content }] };
}

describe("a run's input", () => {
  it("needs a thread, a run and messages, and no more", () => {
    expect(read({})).toEqual({
      messages: [],
      results: [],
      message_ids: [],
      resume: [],
      tools: [],
      context: [],
      state: null,
    });
    expect(wrongIn({})).toEqual(["#/threadId", "#/runId", "#/messages"]);
  });

  it("takes null for what is left out, and ignores what it does not know", () => {
    const entry = { interruptId: "i", status: "resolved", payload: null, metadata: null };
    const input = read({
      parentRunId: null,
      tools: [{ name: "print", description: null, parameters: null, metadata: {}, new: 1 }],
      context: null,
      state: null,
      forwardedProps: null,
      protocolVersion: "1.9",
      resume: [entry],
      unknown: { any: "thing" },
    });
    expect(input.tools).toEqual([
      { name: "print", description: "", input_schema: { type: "object" } },
    ]);
    expect(input.resume).toEqual([
      { interrupt_id: "i", status: "resolved", pointer: "#/resume/0" },
    ]);
    expect(read({ tools: null, resume: null })).toMatchObject({ tools: [], resume: [] });
  });

  it.each<[string, object, object]>([
    ["left out", {}, { type: "object" }],
    ["null", { parameters: null }, { type: "object" }],
    ["empty", { parameters: {} }, { type: "object" }],
    [
      "of null members",
      { parameters: { properties: { a: { type: "string", enum: null } }, required: null } },
      { type: "object", properties: { a: { type: "string" } } },
    ],
  ])(
    "gives a tool whose parameters are %s the schema of an object",
    (_what, more, input_schema) => {
      // CopilotKit/CopilotKit#3884
      expect(read({ tools: [{ name: "print", ...more }] }).tools).toEqual([
        { name: "print", description: "", input_schema },
      ]);
    },
  );

  it("takes what the client's own schema takes", () => {
    const body = {
      ...BASE,
      protocolVersion: "1.0",
      state: { a: 1 },
      tools: [{ name: "print", description: "Prints.", parameters: { type: "object" } }],
      context: [{ description: "page", value: "cart" }],
      forwardedProps: { a: [] },
      resume: [{ interruptId: "i", status: "cancelled" }],
      messages: [
        { id: "1", role: "developer", content: "x" },
        { id: "2", role: "system", content: "x" },
        { id: "3", role: "user", content: "Hello", name: "Ann" },
        {
          id: "4",
          role: "assistant",
          toolCalls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
        },
        { id: "5", role: "tool", toolCallId: "c", content: "ok" },
        { id: "6", role: "reasoning", content: "Hm", encryptedValue: "x" },
        { id: "7", role: "activity", activityType: "a", content: {} },
      ],
    };
    expect(ClientSchema.safeParse(body).success).toBe(true);
    const input = read(body);
    expect(input.message_ids).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
    expect(input.messages).toEqual([
      { id: "3", name: "Ann", role: "user", content: "Hello", metadata: {} },
    ]);
    expect(input.results).toEqual([
      { message_id: "5", tool_call_id: "c", output: "ok", state: "success" },
    ]);
    expect(input).toMatchObject({
      tools: [{ name: "print", description: "Prints.", input_schema: { type: "object" } }],
      context: [{ description: "page", value: "cart" }],
      state: { a: 1 },
    });
  });

  it("refuses media that is no base64 in the newest message, by where it is", () => {
    const image = (value: string) => ({
      type: "image",
      source: { type: "data", value, mimeType: "image/png" },
    });
    const text = { type: "text", text: "Look" };
    const broken = [text, image("..."), { type: "binary", mimeType: "image/png", data: "a b!" }];
    const answer = { id: "a1", role: "assistant", content: "What?" };
    const messages = [answer, { id: "u1", role: "user", content: broken }];

    const refused = readRunInput(RunAgentInputSchema.parse({ ...BASE, messages }));
    const later = { id: "u2", role: "user", content: [image("data:image/png;base64,YWI")] };
    const taken = read({ messages: [...messages, later] });

    expect(refused).toMatchObject({ ok: false, refusal: { code: "validation_failed" } });
    expect(JSON.stringify(refused)).toMatch(/content\/1\/source\/value.*content\/2\/data/);
    const note = "[left out: data of type image/png that is no base64]";
    expect(taken.messages).toMatchObject([
      { id: "u1", content: [text, { text: note }, { text: note }] },
      { id: "u2", content: [{ source: { type: "base64", data: "YWI=" } }] },
    ]);
  });

  it("has data of any kind, with its name, inline or by address", () => {
    const image = { type: "data", value: "YQ==", mimeType: "image/png" };
    const url = "https://example.com/a";
    const input = read(
      parts(
        { type: "text", text: "Look" },
        { type: "image", source: image, metadata: { filename: "a.png" }, id: "x" },
        { type: "document", source: { type: "url", value: url, mimeType: "application/pdf" } },
        { type: "video", source: { type: "url", value: url } },
        { type: "document", source: { type: "url", value: url, mimeType: null } },
        { type: "binary", mimeType: "audio/wav", data: "YQ==", filename: "a.wav" },
        { type: "binary", mimeType: "image/png", url },
      ),
    );
    const byUrl = (media_type: string) => ({ type: "url", url, media_type });
    expect(input.messages[0]?.content).toMatchObject([
      { type: "text", text: "Look" },
      {
        type: "data",
        name: "a.png",
        source: { type: "base64", data: "YQ==", media_type: "image/png" },
      },
      { type: "data", name: null, source: byUrl("application/pdf") },
      { type: "data", source: byUrl("video/*") },
      { type: "data", source: byUrl("application/octet-stream") },
      {
        type: "data",
        name: "a.wav",
        source: { type: "base64", data: "YQ==", media_type: "audio/wav" },
      },
      { type: "data", source: byUrl("image/png") },
    ]);
  });

  it("cannot have what a provider keeps, or parts of an unknown kind", () => {
    const file = { type: "file", value: "file-1", provider: "openai" };
    expect(wrong(parts({ type: "image", source: file }))).toEqual([
      "#/messages/0/content/0/source/type",
    ]);
    expect(wrong(parts({ type: "binary", mimeType: "image/png", id: "file-1" }))).toEqual([
      "#/messages/0/content/0",
    ]);
    expect(wrong(parts({ type: "text", text: "a" }, { type: "hologram" }))).toEqual([
      "#/messages/0/content/1/type",
    ]);
    expect(wrong(parts({ type: "text", text: 42 }))).toEqual(["#/messages/0/content/0/text"]);
  });

  it("has no message of an unknown role, and no id that is empty or too long", () => {
    const message = { role: "user", content: "x" };
    expect(wrong({ messages: [{ ...message, id: "1", role: "function" }] })).toEqual([
      "#/messages/0/role",
    ]);
    expect(wrong({ messages: [{ ...message, id: "" }] })).toEqual(["#/messages/0/id"]);
    expect(wrong({ messages: [{ ...message, id: "x".repeat(129) }] })).toEqual(["#/messages/0/id"]);
    expect(wrong({ threadId: "x".repeat(513), runId: "x".repeat(257) })).toEqual([
      "#/threadId",
      "#/runId",
    ]);
    const resume = [{ interruptId: "x".repeat(513), status: "cancelled" }];
    expect(wrong({ resume })).toEqual(["#/resume/0/interruptId"]);
  });

  it("says why a tool failed", () => {
    const failed = { role: "tool", toolCallId: "c", error: "no paper" };
    const content = [{ type: "text", text: "Half a page." }];
    const messages = [
      { ...failed, id: "1", content: "" },
      { ...failed, id: "2", content: "The printer says: no paper" },
      { ...failed, id: "3", content },
      { ...failed, id: "4", content: "ok", error: null },
    ];
    expect(read({ messages }).results).toMatchObject([
      { output: "no paper", state: "error" },
      { output: "The printer says: no paper", state: "error" },
      { output: content, state: "error" },
      { output: "ok", state: "success" },
    ]);
  });

  it("brings the hash of an input back in the payload or beside it", () => {
    const metadata = { agentscope: { inputHash: "sha256:1" } };
    const resume = [
      { interruptId: "a", status: "resolved", payload: { approved: true, inputHash: "sha256:0" } },
      { interruptId: "b", status: "resolved", payload: { approved: true }, metadata },
      { interruptId: "c", status: "resolved", payload: "text" },
    ];
    expect(read({ resume }).resume.map(({ input_hash }) => input_hash)).toEqual([
      "sha256:0",
      "sha256:1",
      undefined,
    ]);
  });

  it("has a state when that is an object with members", () => {
    for (const state of [null, {}, [], "x", 3, [1]]) expect(read({ state }).state).toBeNull();
    expect(read({ state: { a: null } }).state).toEqual({ a: null });
  });

  it("has no two tools with a name, and none with one of the platform's", () => {
    const names = ["print", "update_shared_state", "print", "GenerateStructuredOutput"];
    const tools = names.map((name) => ({ name, description: "" }));
    expect(readRunInput(RunAgentInputSchema.parse({ ...BASE, tools }))).toMatchObject({
      ok: false,
      refusal: {
        code: "validation_failed",
        errors: [
          { pointer: "#/tools/1/name" },
          { pointer: "#/tools/2/name" },
          { pointer: "#/tools/3/name" },
        ],
      },
    });
    expect(wrong({ tools: [{ name: "no spaces", description: "" }] })).toEqual(["#/tools/0/name"]);
  });

  it("has tools and context up to a size", () => {
    const room = MAX_CLIENT_BYTES - JSON.stringify([[], [{ description: "", value: "" }]]).length;
    const fitting = [{ description: "", value: "x".repeat(room) }];
    expect(wrong({ tools: [], context: fitting })).toEqual([]);
    const larger = [{ description: "", value: "x".repeat(room + 1) }];
    expect(wrong({ tools: [], context: larger })).toEqual(["#"]);
  });
});
