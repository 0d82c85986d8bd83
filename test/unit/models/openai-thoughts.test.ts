// Proofs of thoughts: as endpoints stream them, as the reply keeps them, and as the next call has to bring them back.
import { describe, expect, it, onTestFinished } from "vitest";

import type { ModelChunk } from "../../../agent/ports.ts";
import { createOpenAiModel } from "../../../model/openai/openai-model.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { createOutgoing } from "../../../outgoing/outgoing.ts";
import { collect } from "../../support/collect.ts";
import { says, startFakeOpenAi, type FakeTurn } from "../../support/fake-openai.ts";
import { functionTools } from "../../support/function-tools.ts";
import { runScript } from "../../support/run-script.ts";

const outgoing = createOutgoing({ environment: "local", fetch });
const tools = functionTools({ look_up: { read_only: true, run: () => "found" } });

function modelAt(base_url: string, name = "gpt-fake", credential_id?: string) {
  const definition = {
    provider: "openai",
    name,
    base_url,
    parameters: {},
    ...(credential_id && { credential_id }),
  } as const;
  return createOpenAiModel({ definition, outgoing });
}

/** Plays one turn, in which the model may call `look_up`, and another one that answers. */
async function converse(turn: FakeTurn) {
  const server = await startFakeOpenAi(turn, says("Done"));
  onTestFinished(() => server.stop());
  const model = modelAt(server.baseUrl);
  const log = await runScript({ script: "Where is it?", tools, models: [model] });
  const sent = server.requests.map(({ body }) => (body as { messages: object[] }).messages);
  return { message: log.state.message, sent: sent[1]?.slice(1, -1), server };
}

function blocksOf({ content }: Msg): readonly (readonly [string, string, boolean])[] {
  return content.flatMap((block) =>
    block.type === "thinking" ? [[block.type, block.thinking, "signature" in block] as const] : [],
  );
}

const CALL = { index: 0, id: "call_1", name: "look_up", arguments: "{}" };
const SENT_CALL = {
  id: "call_1",
  type: "function",
  function: { name: "look_up", arguments: "{}" },
};
const claude = { type: "reasoning.text", format: "anthropic-claude-v1", index: 0 };

describe("a thought and its proof", () => {
  it("go back as the one detail whose pieces OpenRouter had streamed", async () => {
    const { message, sent } = await converse((stream) => {
      const piece = (text: string) => ({ ...claude, text, signature: null });
      stream.delta({ reasoning: "Two ", reasoning_details: [piece("Two ")] });
      stream.delta({ reasoning: "orders.", reasoning_details: [piece("orders.")] });
      stream.delta({ content: "", reasoning_details: [{ ...claude, signature: "c2ln" }] });
      stream.text("I look.");
      stream.calls(CALL);
      stream.finish("tool_calls");
      stream.done();
    });

    expect(blocksOf(message)).toEqual([["thinking", "Two orders.", true]]);
    expect(sent).toEqual([
      {
        role: "assistant",
        content: "I look.",
        tool_calls: [SENT_CALL],
        reasoning_details: [{ ...claude, signature: "c2ln", text: "Two orders." }],
      },
    ]);
  });

  it("are two where the model thought twice", async () => {
    const second = { ...claude, index: 1 };
    const { message, sent } = await converse((stream) => {
      stream.delta({ reasoning: "One.", reasoning_details: [{ ...claude, text: "One." }] });
      stream.delta({ reasoning_details: [{ ...claude, signature: "MQ" }] });
      stream.delta({ reasoning: "Two.", reasoning_details: [{ ...second, text: "Two." }] });
      stream.delta({ reasoning_details: [{ ...second, signature: "Mg" }] });
      stream.calls(CALL);
      stream.finish("tool_calls");
      stream.done();
    });

    expect(blocksOf(message)).toEqual([
      ["thinking", "One.", true],
      ["thinking", "Two.", true],
    ]);
    expect(sent).toMatchObject([
      {
        reasoning_details: [
          { ...claude, signature: "MQ", text: "One." },
          { ...second, signature: "Mg", text: "Two." },
        ],
      },
    ]);
  });

  it("belong together when the proof comes after the answer has begun", async () => {
    const { sent } = await converse((stream) => {
      stream.delta({ reasoning: "Hm.", reasoning_details: [{ ...claude, text: "Hm." }] });
      stream.text("I ");
      stream.delta({ content: "look.", reasoning_details: [{ ...claude, signature: "c2ln" }] });
      stream.calls(CALL);
      stream.finish("tool_calls");
      stream.done();
    });

    expect(sent).toMatchObject([
      { content: "I look.", reasoning_details: [{ ...claude, signature: "c2ln", text: "Hm." }] },
    ]);
  });

  it("are a summary beside what is encrypted", async () => {
    const format = "openai-responses-v1";
    const summary = { type: "reasoning.summary", format, index: 0 };
    const encrypted = { type: "reasoning.encrypted", id: "rs_1", format, index: 1, data: "gAAA" };
    const { message, sent } = await converse((stream) => {
      stream.delta({ reasoning: "Plan.", reasoning_details: [{ ...summary, summary: "Plan." }] });
      stream.delta({ reasoning_details: [encrypted] });
      stream.calls(CALL);
      stream.finish("tool_calls");
      stream.done();
    });

    expect(blocksOf(message)).toEqual([["thinking", "Plan.", true]]);
    expect(sent).toMatchObject([
      { reasoning_details: [{ ...summary, summary: "Plan." }, encrypted] },
    ]);
  });

  it("name the call as it is called here when they are a call's", async () => {
    const format = "google-gemini-v1";
    const detail = { type: "reasoning.encrypted", id: "tool_0", format, index: 0, data: "Q0FF" };
    const { message, sent } = await converse((stream) => {
      stream.delta({ reasoning_details: [detail] });
      stream.calls({ ...CALL, id: "" });
      stream.finish("tool_calls");
      stream.done();
    });

    const call = message.content.find((block) => block.type === "tool_call");
    expect(blocksOf(message)).toEqual([["thinking", "", true]]);
    expect(sent).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [{ ...SENT_CALL, id: call?.id }],
        reasoning_details: [{ ...detail, id: call?.id }],
      },
    ]);
  });

  it("go back as blocks to LiteLLM, with those whose words are kept from everybody", async () => {
    const { message, sent } = await converse((stream) => {
      const piece = (thinking: string) => [{ type: "thinking", thinking, signature: "" }];
      stream.delta({ reasoning_content: "Two ", thinking_blocks: piece("Two ") });
      stream.delta({ reasoning_content: "orders.", thinking_blocks: piece("orders.") });
      const whole = { type: "thinking", thinking: "Two orders.", signature: "c2ln" };
      stream.delta({ reasoning_content: "", thinking_blocks: [whole] });
      stream.delta({ thinking_blocks: [{ type: "redacted_thinking", data: "RW1w" }] });
      stream.calls(CALL);
      stream.finish("tool_calls");
      stream.done();
    });

    expect(blocksOf(message)).toEqual([["thinking", "Two orders.", true]]);
    expect(sent).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [SENT_CALL],
        thinking_blocks: [
          { type: "thinking", signature: "c2ln", thinking: "Two orders." },
          { type: "redacted_thinking", data: "RW1w" },
        ],
      },
    ]);
  });

  it("stand at the message of the model call that they were thought in", async () => {
    const thinks = (text: string): FakeTurn => {
      return (stream) => {
        stream.delta({ reasoning: text, reasoning_details: [{ ...claude, text }] });
        stream.delta({ reasoning_details: [{ ...claude, signature: `of ${text}` }] });
        stream.calls({ ...CALL, id: text });
        stream.finish("tool_calls");
        stream.done();
      };
    };
    const server = await startFakeOpenAi(thinks("one"), thinks("two"), says("Done"));
    onTestFinished(() => server.stop());
    await runScript({ script: "hi", tools, models: [modelAt(server.baseUrl)] });

    const sent = (text: string) => [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ ...SENT_CALL, id: text }],
        reasoning_details: [{ ...claude, signature: `of ${text}`, text }],
      },
      { role: "tool", tool_call_id: text, content: "found" },
    ];
    expect(server.requests.at(-1)?.body).toMatchObject({
      messages: [{ role: "user" }, ...sent("one"), ...sent("two")],
    });
  });

  it("are kept when they are the last thing of a stream without [DONE]", async () => {
    const { message } = await converse((stream) => {
      stream.text("Found.");
      stream.delta({ reasoning_details: [{ ...claude, signature: "c2ln" }] }, "stop");
      stream.end();
    });

    expect(blocksOf(message)).toEqual([["thinking", "", true]]);
  });
});

describe("a proof", () => {
  const sign: FakeTurn = (stream) => {
    stream.delta({ reasoning: "Hm.", reasoning_details: [{ ...claude, text: "Hm." }] });
    stream.delta({ reasoning_details: [{ ...claude, signature: "c2ln" }] });
    stream.text("Found.");
    stream.finish();
    stream.done();
  };

  it("is given to the model at the endpoint with the credential that it came from, and to nobody else", async () => {
    const { message, server } = await converse(sign);
    const again = async (name: string, url = server.baseUrl, credential_id?: string) => {
      const request = { system_prompt: "", messages: [message], tools: [] };
      const model = modelAt(url, name, credential_id);
      await collect(model.stream(request, new AbortController().signal));
      return (server.requests.at(-1)!.body as { messages: unknown }).messages;
    };

    const plain = { role: "assistant", content: "Found." };
    const details = [{ ...claude, signature: "c2ln", text: "Hm." }];
    expect(await again("gpt-fake")).toEqual([{ ...plain, reasoning_details: details }]);
    expect(await again("gpt-other")).toEqual([plain]);
    expect(await again("gpt-fake", `${server.baseUrl}/`)).toEqual([plain]);
    expect(await again("gpt-fake", server.baseUrl, "crd_1")).toEqual([plain]);
  });

  it.each([
    ["base64", "c2ln"],
    ["a number", "17"],
    ["null", "null"],
    ["details that are none", '{"by":1,"reasoning_details":[17]}'],
    ["70,000 characters", "x".repeat(70_000)],
  ])("that was brought in from outside as %s is not sent", async (_, signature) => {
    const { message, server } = await converse(sign);
    const content = message.content.map((block) =>
      block.type === "thinking" ? { ...block, signature } : block,
    );
    const request = { system_prompt: "", messages: [{ ...message, content }], tools: [] };
    await collect(modelAt(server.baseUrl).stream(request, new AbortController().signal));

    expect(server.requests.at(-1)?.body).toMatchObject({
      messages: [{ role: "assistant", content: "Found." }],
    });
    expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain("reasoning_details");
  });

  it("that is longer than a thought's proof may be is none", async () => {
    const server = await startFakeOpenAi((stream) => {
      stream.delta({ reasoning: "Hm.", reasoning_details: [{ ...claude, text: "Hm." }] });
      stream.delta({ reasoning_details: [{ ...claude, signature: "s".repeat(65_536) }] });
      stream.text("Found.");
      stream.finish();
      stream.done();
    });
    onTestFinished(() => server.stop());
    const request = { system_prompt: "", messages: [], tools: [] };
    const chunks: ModelChunk[] = await collect(
      modelAt(server.baseUrl).stream(request, new AbortController().signal),
    );

    expect(chunks.filter((chunk) => Object.keys(chunk).length > 0)).toEqual([
      { thinking: "Hm." },
      { text: "Found." },
    ]);
  });
});
