// The proof of a thought on its way to readers: in the fold, and in both dialects.
import { describe, expect, it } from "vitest";

import { toJavaEvent } from "../../../protocol/dialects/to-java-event.ts";
import { toAgUiMessages } from "../../../protocol/dialects/ag-ui/wire/messages.ts";
import { parseEvent } from "../../../protocol/parse.ts";
import { agUiBody, playAgUi } from "../../support/ag-ui-client.ts";
import { sessionTranslator } from "../../support/ag-ui-history.ts";
import { fold } from "../../support/fold.ts";

const start = { type: "THINKING_BLOCK_START", block_id: "b1" };
const delta = { type: "THINKING_BLOCK_DELTA", block_id: "b1", delta: "Hm." };
const end = { type: "THINKING_BLOCK_END", block_id: "b1" };
const signed = { ...end, metadata: { signature: "c2ln" } };
const block = { type: "thinking", thinking: "Hm.", id: "b1", created_at: "T", finished_at: "T" };

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
      { type: "REPLY_START", session_id: "ses_1", name: "A" },
      start,
      delta,
      signed,
      silent,
      { ...silent, type: "THINKING_BLOCK_END", metadata: { signature: "RW1w" } },
      { type: "REPLY_END", session_id: "ses_1" },
    ];
    const at = { id: "e", created_at: "2026-01-01T00:00:00.000Z", reply_id: "r1" };
    const log = events.map((event, index) => ({
      ...parseEvent({ ...at, ...event }),
      seq: index + 1,
    }));
    const held = [
      { id: "b1", role: "reasoning", content: "Hm.", encryptedValue: "c2ln" },
      { id: "b2", role: "reasoning", content: "", encryptedValue: "RW1w" },
    ];

    for (let cut = 0; cut < log.length; cut += 1) {
      const translator = sessionTranslator(log);
      for (const event of log.slice(0, cut)) translator.push(event);
      const prelude = translator.join();
      const frames = log.slice(cut).flatMap((event) => translator.push(event));
      // One after the other: the client logs to one console.
      // oxlint-disable-next-line no-await-in-loop
      const { messages, warnings } = await playAgUi(
        agUiBody([...prelude, ...frames.map(({ event }) => event)]),
      );
      expect([cut, messages, warnings]).toEqual([cut, held, []]);
    }
    expect(toAgUiMessages(fold(events.slice(1)))).toEqual(held);
  });

  it("goes to AgentScope for Java and back in the metadata of the END", () => {
    const event = parseEvent({ id: "e", created_at: "T", reply_id: "r1", ...signed });
    const java = toJavaEvent(event, { toolCallName: () => "f", iterations: 0 });

    expect(java).toMatchObject({ metadata: { signature: "c2ln" } });
    expect(parseEvent(java)).toEqual(event);
  });
});
