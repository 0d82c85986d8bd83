// The usage that an agent of another system tells says nothing of the size of a context here.
import { expect, it } from "vitest";

import { advanceReply, startReplyState } from "../../../agent/state/reply-state.ts";
import { USAGE_TOLD } from "../../../protocol/a2a/told-usage.ts";
import type { AgentEvent, EventOf } from "../../../protocol/events.ts";

const ABOUT = {
  id: "evt",
  reply_id: "rep",
  created_at: "2026-01-01T00:00:00.000Z",
  metadata: {},
};

function lastCall(metadata: object) {
  const start = { ...ABOUT, type: "REPLY_START", name: "agent", role: "assistant", input: [] };
  const usage = { input_tokens: 9_000_000, output_tokens: 5 };
  const events = [
    { ...ABOUT, type: "MODEL_CALL_START", model_name: "m" },
    { ...ABOUT, type: "TEXT_BLOCK_START", block_id: "b" },
    { ...ABOUT, type: "TEXT_BLOCK_DELTA", block_id: "b", delta: "Hello." },
    { ...ABOUT, type: "TEXT_BLOCK_END", block_id: "b" },
    { ...ABOUT, type: "MODEL_CALL_END", ...usage, finished_reason: "completed", metadata },
  ] as unknown as readonly AgentEvent[];
  const state = startReplyState(start as unknown as EventOf<"REPLY_START">);
  return events.reduce(advanceReply, state).last_call;
}

it("what a provider counts is the size of the context, and what an agent tells is not", () => {
  expect([lastCall({})?.tokens, lastCall({ [USAGE_TOLD]: true })]).toEqual([9_000_005, null]);
});
