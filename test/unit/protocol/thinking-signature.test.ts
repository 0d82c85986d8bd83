// The proof of a thought or of a call on its way to readers: in the fold, and in both dialects.
import { describe, expect, it } from "vitest";

import { toJavaEvent } from "../../../protocol/dialects/to-java-event.ts";
import { normalizeBlock } from "../../../protocol/dialects/normalize-block.ts";
import { toJavaBlock } from "../../../protocol/dialects/to-agentscope-java-block.ts";
import { ToolCallBlockSchema } from "../../../protocol/messages/blocks.ts";
import { toAgUiMessages } from "../../../protocol/dialects/ag-ui/wire/messages.ts";
import { framesInProfile } from "../../../protocol/dialects/ag-ui/profile.ts";
import { parseEvent } from "../../../protocol/parse.ts";
import { pythonProblems } from "../../support/ag-ui-python.ts";
import { agUiBody, playAgUi } from "../../support/ag-ui-client.ts";
import { sessionTranslator } from "../../support/ag-ui-history.ts";
import { fold } from "../../support/fold.ts";

const callStart = { type: "TOOL_CALL_START", tool_call_id: "c1", tool_call_name: "f" };
const callEnd = { type: "TOOL_CALL_END", tool_call_id: "c1" };
const signedCall = { ...callEnd, metadata: { signature: "Q0FF" } };
const start = { type: "THINKING_BLOCK_START", block_id: "b1" };
const delta = { type: "THINKING_BLOCK_DELTA", block_id: "b1", delta: "Hm." };
const end = { type: "THINKING_BLOCK_END", block_id: "b1" };
const signed = { ...end, metadata: { signature: "c2ln" } };
const at = { id: "e", created_at: "2026-01-01T00:00:00.000Z", reply_id: "r1" };
const REPLY_START = { type: "REPLY_START", session_id: "ses_1", name: "A" };
const REPLY_END = { type: "REPLY_END", session_id: "ses_1" };
const block = { type: "thinking", thinking: "Hm.", id: "b1", created_at: "T", finished_at: "T" };

/** Expects the same of a client of AG-UI whichever event it joins before. */
async function expectHeldFromEachCut(events: readonly object[], held: readonly object[]) {
  const log = events.map((event, index) => ({
    ...parseEvent({ ...at, ...event }),
    seq: index + 1,
  }));
  for (let cut = 0; cut < log.length; cut += 1) {
    const translator = sessionTranslator(log);
    for (const event of log.slice(0, cut)) translator.push(event);
    const prelude = translator.join();
    const frames = log.slice(cut).flatMap((event) => translator.push(event));
    // One after the other: the client logs to one console.
    const { messages, warnings } = await playAgUi(
      agUiBody([...prelude, ...frames.map(({ event }) => event)]),
    );
    expect([cut, messages, warnings]).toEqual([cut, held, []]);
  }
}

describe("the proof of a thought", () => {
  it("stays with the block in the fold", () => {
    expect(JSON.stringify(fold([start, delta, signed]).content)).toBe(
      JSON.stringify([{ ...block, signature: "c2ln" }]),
    );
  });

  it.each([{}, { signature: "" }, { signature: 17 }, { other: "c2ln" }])(
    "is none in %j",
    (metadata) => {
      expect(fold([start, delta, { ...end, metadata }]).content).toEqual([block]);
    },
  );

  it("is not lost to an END that comes again without it", () => {
    expect(fold([start, delta, signed, end]).content).toEqual([{ ...block, signature: "c2ln" }]);
  });

  it("is what a client of AG-UI holds whenever it joins, as in a snapshot, without words too", async () => {
    const silent = { type: "THINKING_BLOCK_START", block_id: "b2" };
    const events = [
      REPLY_START,
      start,
      delta,
      signed,
      silent,
      { ...silent, type: "THINKING_BLOCK_END", metadata: { signature: "RW1w" } },
      REPLY_END,
    ];
    const held = [
      { id: "b1", role: "reasoning", content: "Hm.", encryptedValue: "c2ln" },
      { id: "b2", role: "reasoning", content: "", encryptedValue: "RW1w" },
    ];

    await expectHeldFromEachCut(events, held);
    expect(toAgUiMessages(fold(events.slice(1)))).toEqual(held);
  });

  it("goes to AgentScope for Java and back in the metadata of the END", () => {
    const event = parseEvent({ id: "e", created_at: "T", reply_id: "r1", ...signed });
    const java = toJavaEvent(event, { toolCallName: () => "f", iterations: 0 });

    expect(java).toMatchObject({ metadata: { signature: "c2ln" } });
    expect(parseEvent(java)).toEqual(event);
  });
});

describe("the proof of a call", () => {
  const call = {
    type: "tool_call",
    id: "c1",
    name: "f",
    input: "",
    state: "pending",
    suggested_rules: [],
    created_at: "T",
    finished_at: "T",
  };
  const result = { tool_call_id: "c1", tool_call_name: "f" };
  const events = [
    REPLY_START,
    callStart,
    { type: "TOOL_CALL_DELTA", tool_call_id: "c1", delta: "{}" },
    signedCall,
    { type: "TOOL_RESULT_START", ...result },
    { type: "TOOL_RESULT_TEXT_DELTA", ...result, delta: "1" },
    { type: "TOOL_RESULT_END", ...result, state: "success" },
    REPLY_END,
  ];

  it("stays with the block in the fold", () => {
    expect(JSON.stringify(fold([callStart, signedCall]).content)).toBe(
      JSON.stringify([{ ...call, signature: "Q0FF" }]),
    );
    expect(fold([callStart, callEnd]).content).toEqual([call]);
  });

  it("is what a client of AG-UI holds at the call, whenever it joins, as in a snapshot", async () => {
    const made = { type: "function", function: { name: "f", arguments: "{}" } };
    const held = [
      {
        id: "calls:c1",
        role: "assistant",
        toolCalls: [{ id: "c1", ...made, encryptedValue: "Q0FF" }],
      },
      {
        id: "r1:c1",
        role: "tool",
        toolCallId: "c1",
        content: "1",
        metadata: { agentscope: { state: "success" } },
      },
    ];

    await expectHeldFromEachCut(events, held);
    expect(toAgUiMessages(fold(events.slice(1)))).toMatchObject(held);
  });

  it.each(["0.0", "1.0"] as const)(
    "is an event of the profile %s, behind the call's end",
    (profile) => {
      const log = events.map((event, index) => {
        return { ...parseEvent({ ...at, ...event }), seq: index + 1 };
      });
      const translator = sessionTranslator(log);
      const frames = framesInProfile(
        profile,
        log.flatMap((event) => translator.push(event)),
      );

      const sent = frames.map(({ event }) => event);
      const place = sent.findIndex(({ type }) => type === "TOOL_CALL_END");
      expect(sent[place + 1]).toMatchObject({
        type: "REASONING_ENCRYPTED_VALUE",
        subtype: "tool-call",
        entityId: "c1",
        encryptedValue: "Q0FF",
      });
      for (const version of ["0.1.13", "0.1.19", "0.1.20"] as const) {
        if (profile === "0.0")
          expect(sent.flatMap((event) => pythonProblems(version, event))).toEqual([]);
      }
    },
  );

  it("goes to AgentScope for Java and back, in the event and in the block", () => {
    const event = parseEvent({ id: "e", created_at: "T", reply_id: "r1", ...signedCall });
    const java = toJavaEvent(event, { toolCallName: () => "f", iterations: 0 });
    const signed = ToolCallBlockSchema.parse({ ...call, signature: "Q0FF" });

    expect(parseEvent(java)).toEqual(event);
    expect(ToolCallBlockSchema.parse(normalizeBlock(toJavaBlock(signed)))).toEqual(signed);
  });
});
