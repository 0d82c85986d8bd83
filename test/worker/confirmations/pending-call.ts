// A call that waits, complete: a test names only what it is about.
import type { PendingCall } from "../../../protocol/replies/contract.ts";

const AT = "2026-03-01T11:59:59.000Z";

export function makePending(
  id: string,
  changes: Partial<PendingCall> = {},
  input = '{"order_id":"A-1001"}',
): PendingCall {
  return {
    kind: "permission",
    tool_call: {
      type: "tool_call",
      id,
      name: "refund_order",
      input,
      state: "asking",
      suggested_rules: [],
      created_at: AT,
      finished_at: AT,
    },
    input_hash: `sha256:${"0".repeat(64)}`,
    expires_at: null,
    suggested_rules: [],
    ...changes,
  };
}
