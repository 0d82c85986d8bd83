import { expect, it } from "vitest";

import { recordedRunner } from "../../../agent/replay/replay-tools.ts";
import type { Found } from "../../../agent/replay/recording.ts";

it("a recorded result that was not trusted ends with its source", async () => {
  const untrusted = { tool_name: "read_mail", tool_call_id: "call_1" };
  const result = {
    type: "tool_result",
    id: "call_2",
    name: "retrieve_from_memory",
    output: "Data.",
    state: "success",
    metadata: { untrusted },
  };
  const found = { call: { result } } as unknown as Found;
  const runner = recordedRunner(
    () => [],
    () => found,
    () => undefined,
  );

  const chunks = [];
  for await (const chunk of runner.run({} as never, new AbortController().signal)) {
    chunks.push(chunk);
  }

  expect(chunks).toEqual([
    { type: "text", delta: "Data." },
    { type: "end", state: "success", metadata: { untrusted }, untrusted },
  ]);
});
