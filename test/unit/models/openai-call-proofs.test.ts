// Proofs that stand at calls: they are kept with them, and go back with them to their own model.
import { describe, expect, it, onTestFinished } from "vitest";

import { createOpenAiModel } from "../../../model/openai/openai-model.ts";
import { toOpenAiMessages } from "../../../model/openai/to-openai-messages.ts";
import { AssistantMsg } from "../../../protocol/messages/constructors.ts";
import { createOutgoing } from "../../../outgoing/outgoing.ts";
import { collect } from "../../support/collect.ts";
import { says, startFakeOpenAi, type FakeTurn } from "../../support/fake-openai.ts";
import { functionTools } from "../../support/function-tools.ts";
import { runScript } from "../../support/run-script.ts";

const outgoing = createOutgoing({ environment: "local", fetch });
const tools = functionTools({ look_up: { read_only: true, run: () => "found" } });

function modelAt(base_url: string, name = "gpt-fake") {
  const definition = { provider: "openai", name, base_url, parameters: {} } as const;
  return createOpenAiModel({ definition, outgoing });
}

const google = (thought_signature: string) => ({
  extra_content: { google: { thought_signature } },
});
const litellm = (thought_signature: string) => ({
  provider_specific_fields: { thought_signature },
});

const made = { type: "function", function: { name: "look_up", arguments: "{}" } };
const SENT_CALL = { id: "call_1", ...made };

/** Plays a turn with calls, and another one that answers. */
async function converse(...pieces: object[]) {
  const turn: FakeTurn = (stream) => {
    for (const piece of pieces) stream.delta({ tool_calls: [piece] });
    stream.finish("tool_calls");
    stream.done();
  };
  const server = await startFakeOpenAi(turn, says("Done"));
  onTestFinished(() => server.stop());
  const log = await runScript({ script: "hi", tools, models: [modelAt(server.baseUrl)] });
  const sent = server.requests.map(({ body }) => (body as { messages: object[] }).messages);
  return { log, sent: sent[1]?.slice(1), server };
}

describe("the proof of a call", () => {
  it.each([
    ["Google", google],
    ["LiteLLM", litellm],
  ])("goes back with the call that %s has put it at", async (_, proof) => {
    const { log, sent } = await converse(
      { ...SENT_CALL, index: 0, ...proof("Q0FF") },
      { ...SENT_CALL, id: "call_2", index: 1 },
      { ...SENT_CALL, id: "call_3", index: 2, ...proof("REFG") },
    );

    const results = ["call_1", "call_2", "call_3"].map((tool_call_id) => {
      return { role: "tool", tool_call_id, content: "found" };
    });
    expect(sent).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { ...SENT_CALL, ...proof("Q0FF") },
          { ...SENT_CALL, id: "call_2" },
          { ...SENT_CALL, id: "call_3", ...proof("REFG") },
        ],
      },
      ...results,
    ]);
    expect(log.types).not.toContain("THINKING_BLOCK_START");
  });

  it("stays with the call, in the END that has it", async () => {
    const { log } = await converse(
      { ...SENT_CALL, index: 0, ...google("Q0FF") },
      { ...SENT_CALL, id: "call_2", index: 1 },
    );

    const signature = expect.stringContaining("Q0FF") as string;
    const ends = log.events.filter(({ type }) => type === "TOOL_CALL_END");
    expect(ends.map(({ metadata }) => metadata)).toEqual([{ signature }, {}]);
    const calls = log.state.message.content.filter(({ type }) => type === "tool_call");
    expect(calls.map((call) => "signature" in call && call.signature)).toEqual([signature, false]);
  });

  it("is read where it comes behind the call, and never sent to another model", async () => {
    const { log, server } = await converse(
      { ...SENT_CALL, index: 0 },
      { index: 0, ...google("Q0FF") },
    );
    const request = { system_prompt: "", messages: [log.state.message], tools: [] };
    for (const name of ["gpt-fake", "gpt-other"]) {
      const model = modelAt(server.baseUrl, name);
      await collect(model.stream(request, new AbortController().signal));
    }

    const isSent = server.requests.map(({ body }) => JSON.stringify(body).includes("Q0FF"));
    expect(isSent).toEqual([false, true, true, false]);
  });

  it.each([
    ["is empty", google("")],
    ["is no text", { extra_content: { google: { thought_signature: 17 } } }],
    ["is longer than the log keeps", google("s".repeat(65_537))],
    ["stands elsewhere", { extra_content: { thought_signature: "Q0FF" } }],
  ])("is none where it %s", async (_, proof) => {
    const { sent } = await converse({ ...SENT_CALL, index: 0, ...proof });

    expect(sent?.[0]).toEqual({ role: "assistant", content: null, tool_calls: [SENT_CALL] });
  });

  it("stands at the first call where an older log has it as a thought's", () => {
    const signature = JSON.stringify({ by: "me", thought_signature: "Q0FF" });
    const call = { type: "tool_call", name: "look_up", input: "{}" } as const;
    const message = AssistantMsg({
      name: "A",
      content: [
        { type: "thinking", thinking: "", signature },
        { ...call, id: "call_1" },
        { ...call, id: "call_2" },
      ],
    });

    expect(
      toOpenAiMessages({ system_prompt: "", messages: [message] }, { by: "me", form: {} }),
    ).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { ...SENT_CALL, ...google("Q0FF") },
          { ...SENT_CALL, id: "call_2" },
        ],
      },
    ]);
  });
});
