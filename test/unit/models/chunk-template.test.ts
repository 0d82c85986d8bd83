import { describe, expect, it } from "vitest";

import { ChunkTemplate } from "../../../model/openai/chunk-template.ts";

function event(delta: object, others: object = {}): string {
  return JSON.stringify({ model: "hello", choices: [{ index: 0, delta }], ...others });
}

function learnt(...events: readonly string[]): ChunkTemplate {
  const template = new ChunkTemplate();
  for (const data of events) template.learn(data, JSON.parse(data));
  return template;
}

describe("a template of a stream's events", () => {
  it("cuts the token out of an event that is alike", () => {
    const template = learnt(event({ content: "Hi" }));

    expect(template.read(event({ content: " there" }))).toEqual({ text: " there" });
  });

  it("tells thinking from text", () => {
    const template = learnt(event({ content: "Hi" }), event({ reasoning: "Hm" }));

    expect(template.read(event({ reasoning: "Well" }))).toEqual({ thinking: "Well" });
    expect(template.read(event({ content: "Well" }))).toBeNull();
  });

  it("leaves to the parser what JSON escapes", () => {
    const template = learnt(event({ content: "Hi" }));

    for (const token of ['"', "\\", "\n", "\u0007", 'a","finish_reason":"stop']) {
      expect(template.read(event({ content: token })), JSON.stringify(token)).toBeNull();
    }
  });

  it("leaves to the parser an event without a token, a longer one and another one", () => {
    const template = learnt(event({ content: "Hi" }));

    expect(template.read(event({ content: "" }))).toBeNull();
    expect(template.read(event({ content: "Hi" }, { usage: { prompt_tokens: 1 } }))).toBeNull();
    expect(template.read(event({ content: "Hi", tool_calls: [{ index: 0 }] }))).toBeNull();
    expect(template.read("[DONE]")).toBeNull();
  });

  it("is not made of a string with the token's letters that is not the token", () => {
    const template = learnt(event({ content: "Hi" }, { nonce: "Hi" }));

    expect(template.read(event({ content: "Hi" }, { nonce: "other" }))).toBeNull();
    expect(template.read(event({ content: "other" }, { nonce: "Hi" }))).toBeNull();
  });

  it("is not made of a token that a template is tried with", () => {
    const probe = "<template probe>";
    const template = learnt(event({ content: probe }, { nonce: probe }));

    expect(template.read(event({ content: probe }, { nonce: "other" }))).toBeNull();
    expect(template.read(event({ content: "other" }, { nonce: probe }))).toBeNull();
  });

  it("is not made of an event that brings more than its token", () => {
    const more = [
      event({ content: "Hi", reasoning: "Hm" }),
      event({ content: "Hi" }, { usage: { prompt_tokens: 1 } }),
      event({ content: "Hi" }, { error: "late" }),
      event({ content: "Hi", tool_calls: [{ index: 0, function: { arguments: "{" } }] }),
      event({ content: "Hi", reasoning_details: [{ type: "reasoning.text", signature: "s" }] }),
      event({ content: "Hi", thinking_blocks: [{ type: "thinking", signature: "s" }] }),
      JSON.stringify({ choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: "stop" }] }),
    ];

    for (const data of more) {
      expect(learnt(data).read(data.replace("Hi", "Ho")), data).toBeNull();
    }
  });

  it("is made of an event whose other fields are empty", () => {
    const empty = { tool_calls: [], reasoning_details: [], thinking_blocks: null };
    const template = learnt(event({ content: "Hi", ...empty }));

    expect(template.read(event({ content: "Ho", ...empty }))).toEqual({ text: "Ho" });
  });

  it("is given up for a stream in which more than the token changes", () => {
    const changing = Array.from({ length: 20 }, (_, number) =>
      event({ content: "Hi" }, { padding: String(number) }),
    );
    const template = learnt(...changing);

    expect(template.read(event({ content: "Ho" }, { padding: "19" }))).toBeNull();
  });

  it("goes on learning while what it learnt is of use", () => {
    const template = new ChunkTemplate();
    for (let created = 0; created < 20; created += 1) {
      const data = event({ content: "Hi" }, { created });
      template.learn(data, JSON.parse(data));

      expect(template.read(event({ content: "Ho" }, { created }))).toEqual({ text: "Ho" });
    }
  });
});
