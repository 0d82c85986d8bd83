import { expect, it } from "vitest";

import { shownCalls } from "../../../durable-objects/replies/shown-calls.ts";
import type { PendingCall } from "../../../protocol/replies/contract.ts";
import { MAX_SHOWN_CALLS, MAX_SHOWN_INPUT_CHARACTERS } from "../../../protocol/requests/limits.ts";
import type { PermissionRule } from "../../../protocol/messages/permission.ts";

const RULE: PermissionRule = {
  tool_name: "refund",
  rule_content: "A-1001",
  behavior: "allow",
  source: "suggested",
};

function call(id: string, input: string): PendingCall {
  const suggested_rules = [RULE];
  const times = { created_at: "T", finished_at: null };
  return {
    kind: "permission",
    tool_call: {
      type: "tool_call",
      id,
      name: "refund",
      input,
      state: "asking",
      suggested_rules,
      ...times,
    },
    input_hash: "hash",
    expires_at: null,
    suggested_rules,
  };
}

it("inputs are shown as long as there is room, whatever stands between them", () => {
  const half = "é".repeat(MAX_SHOWN_INPUT_CHARACTERS / 2);
  const calls = [call("a", half), call("b", half), call("c", "{}")];

  const shown = shownCalls(calls);

  const [first, second, third] = calls;
  const tool_call = { ...second!.tool_call, input: "", suggested_rules: [] };
  const omitted = { bytes: MAX_SHOWN_INPUT_CHARACTERS };
  expect(shown).toEqual([first, { ...second, tool_call, suggested_rules: [], omitted }, third]);
});

it("so many calls are shown, the first", () => {
  const calls = Array.from({ length: MAX_SHOWN_CALLS + 5 }, (_, index) => call(`${index}`, "{}"));

  expect(shownCalls(calls)).toEqual(calls.slice(0, MAX_SHOWN_CALLS));
});
