// One message that is longer than the window: each word of it reaches a model.
import { describe, expect, it } from "vitest";

import { compressContext } from "../../../agent/context/compress-context.ts";
import { cutMiddle } from "../../../agent/context/cut-middle.ts";
import { sliceEntries, transcriptOf } from "../../../agent/context/transcript.ts";
import { AssistantMsg, UserMsg } from "../../../protocol/messages/constructors.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { called, contextOf, FIELDS, modelOf, requestOf } from "../../support/compression.ts";
import { textOf } from "../../support/fitted-reply.ts";

/** Quotations in the entries of a transcript, put together again. */
function quotedIn(entries: readonly string[]): string {
  return entries.map((entry) => JSON.parse(entry.slice(entry.indexOf('"'))) as string).join("");
}

function say(text: string): readonly Msg[] {
  return [UserMsg("user", text, { id: "u" })];
}

describe("a message that is longer than the summariser's window", () => {
  it("is read to its end, in slices that fit, and its end is repeated behind the summary", async () => {
    const words = Array.from({ length: 40_000 }, (_, at) => (at === 30_000 ? "PIN-4711" : "lorem"));
    const question = "What is my PIN?";
    const text = `${words.join(" ")} ${question}`;
    const model = modelOf(() => called(FIELDS));

    const outcome = await compressContext(
      requestOf({ messages: say(text), reply_id: "rep", tokens: 60_000, window: 8_000 }),
      contextOf(model, { model_window: 8_000 }),
    );

    const sent = model.requests.map(textOf);
    expect(sent.some((request) => request.includes("PIN-4711"))).toBe(true);
    expect(sent.at(-1)).toContain(question);
    for (const request of sent) expect(request.length / 4).toBeLessThan(8_000);
    expect(outcome).toMatchObject({
      type: "compressed",
      value: { last_message_id: "u", request: expect.stringMatching(/^lorem.*What is my PIN\?$/s) },
    });
  });

  it.each([
    ["prose", "word ".repeat(3_000)],
    ["line feeds and quotes, which are escaped", '"\n'.repeat(4_000)],
    ["pairs of surrogates", "😀".repeat(4_000)],
    ["control characters at its end alone", `${"a".repeat(9_000)}${"\u0001".repeat(3_000)}`],
  ])("is split into parts that say which they are, and lose nothing: %s", (_what, text) => {
    const entries = transcriptOf(say(text), 1_000);

    expect(entries.length).toBeGreaterThan(5);
    expect(quotedIn(entries)).toBe(text);
    expect(entries[0]).toMatch(/^user \(part 1 of \d+\): "/);
    for (const entry of entries) {
      expect(entry.length).toBeLessThanOrEqual(1_000);
      expect(entry).not.toContain("\n");
    }
  });

  it("is a call with its result: input and output are parts of their own", () => {
    const input = JSON.stringify({ note: "n".repeat(1_500) });
    const output = [
      { type: "text" as const, id: "t", text: "o".repeat(1_500) },
      { type: "text" as const, id: "s", text: "end" },
    ];
    const message = AssistantMsg("agent", [
      { type: "tool_call", id: "c", name: "look", input },
      { type: "tool_result", id: "c", name: "look", output, state: "success" },
    ]);

    const entries = transcriptOf([message], 1_000);

    const inputs = entries.filter((entry) => entry.startsWith("assistant called look with (part "));
    const outputs = entries.filter((entry) => entry.startsWith("success (part "));
    expect([quotedIn(inputs), quotedIn(outputs)]).toEqual([input, `${"o".repeat(1_500)}end`]);
    expect(inputs.length + outputs.length).toBe(entries.length);
  });

  it("takes as many slices as its length needs", () => {
    const entries = transcriptOf(say("x".repeat(100_000)), 4_999);

    expect(sliceEntries(entries, 10_000).length).toBeLessThanOrEqual(11);
  });
});

describe("the cut of a text", () => {
  it("keeps what is short, whole letters, and its bound", () => {
    const text = "😀".repeat(500);
    const cut = cutMiddle(text, 301);

    expect(cutMiddle(text, 1_000)).toBe(text);
    expect(cut.length).toBeLessThanOrEqual(301);
    expect(cut.isWellFormed()).toBe(true);
    expect(cut).toMatch(/^😀+\n<<<TRUNCATED>>> \d+ characters .*\n😀+$/u);
  });
});
