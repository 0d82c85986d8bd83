import { expect, it } from "vitest";

import { recordedRunner } from "../../../agent/replay/replay-tools.ts";
import type { Found } from "../../../agent/replay/recording.ts";

const untrusted = { tool_name: "read_mail", tool_call_id: "call_1" };

it.each([
  { title: "that was not trusted", metadata: { untrusted }, ends: { untrusted } },
  {
    title: "that has stopped its reply",
    metadata: { stops_reply: true },
    ends: { untrusted: null, stops: true },
  },
])("a recorded result $title ends as it did", async ({ metadata, ends }) => {
  const result = {
    type: "tool_result",
    id: "call_2",
    name: "retrieve_from_memory",
    output: "Data.",
    state: "success",
    metadata,
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
    { type: "end", state: "success", metadata, ...ends },
  ]);
});
