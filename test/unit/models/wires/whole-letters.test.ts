// Half a pair of surrogates, wherever a text of a request is from: strict endpoints answer 400 to it.
import { describe, expect, it } from "vitest";

import type { ModelRequest } from "../../../../agent/ports.ts";
import { wholeJson, wholeLetters } from "../../../../outgoing/whole-letters.ts";
import { AssistantMsg, UserMsg } from "../../../../protocol/messages/constructors.ts";
import { collect } from "../../../support/collect.ts";
import { eventText, startWire, WIRES } from "./wires.ts";

const HALVES: readonly [string, string, string][] = [
  ["the first half (anomalyco/opencode#17758)", "half \ud83d pair", "half \ufffd pair"],
  ["the second half (anthropics/claude-code#60394)", "\ude9a", "\ufffd"],
  ["both, the wrong way round", "\ude9a\ud83d", "\ufffd\ufffd"],
  ["a pair", "🚚", "🚚"],
  ["an escape as text", String.raw`\ud83d`, String.raw`\ud83d`],
  ["a backslash before half of one", "\\\ud83d", "\\\ufffd"],
];

const half = "half \ud83d pair";
const escaped = String.raw`{"note":"half \ud83d pair","whole":"\ud83d\ude9a"}`;

const request: ModelRequest = {
  system_prompt: `System ${half}`,
  messages: [
    UserMsg({ name: "user", content: `User ${half}` }),
    AssistantMsg({
      name: "agent",
      content: [
        { type: "text", id: "t", text: `Model ${half}`, created_at: null, finished_at: null },
        { type: "tool_call", id: "call_1", name: "look_up", input: escaped, state: "finished" },
        {
          type: "tool_result",
          id: "call_1",
          name: "look_up",
          output: `Result ${half}`,
          state: "success",
        },
      ] as never,
    }),
    UserMsg({ name: "user", content: "And?" }),
  ],
  tools: [
    {
      name: "look_up",
      description: `Tool ${half}`,
      input_schema: {
        type: "object",
        properties: { note: { type: "string", description: `Schema ${half}` } },
      },
      read_only: true,
      concurrency_safe: true,
      idempotent: true,
    },
  ],
};

describe("half a pair of surrogates", () => {
  it.each(WIRES)("is U+FFFD in requests by $name", async (wire) => {
    const server = await startWire(wire, (body) => {
      body.raw(eventText([...wire.text("Yes."), ...wire.end(1, 1)]));
      body.end();
    });

    await collect(wire.model(server.url).stream(request, new AbortController().signal));

    const sent = JSON.stringify(server.requests[0]?.body);
    const marked = ["System", "User", "Model", "Result", "Tool", "Schema"];
    for (const place of marked) expect(sent).toContain(`${place} half \ufffd pair`);
    // Also inside of inputs, which are JSON in JSON on some wires.
    expect(sent).not.toMatch(/\\ud83d(?!\\+ude9a)/);
    expect(sent.isWellFormed()).toBe(true);
  });

  it.each(HALVES)("is replaced in JSON with %s", (_case, text, meant) => {
    expect(JSON.parse(wholeJson({ text, inner: [text] }))).toEqual({ text: meant, inner: [meant] });
  });

  it.each([
    [String.raw`{"a":"\ud83d\ude9a"}`, "🚚"],
    [String.raw`{"a":"\uD83D"}`, "\ufffd"],
    [String.raw`{"a":"\\\ud83dx"}`, "\\\ufffdx"],
  ])("is told from a pair in the JSON of others: %s", (json, meant) => {
    expect(JSON.parse(wholeLetters(json))).toEqual({ a: meant });
  });
});
