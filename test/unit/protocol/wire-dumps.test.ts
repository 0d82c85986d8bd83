// Events exactly as the reference dumps them: the members and their order.
import { describe, expect, it } from "vitest";

import { parseEvent } from "../../../protocol/parse.ts";

const DUMPS = [
  '{"id": "e", "created_at": "T", "metadata": {}, "type": "REPLY_START", "session_id": "s", "reply_id": "r1", "name": "A", "role": "assistant"}',
  '{"id": "e", "created_at": "T", "metadata": {}, "type": "REPLY_END", "session_id": "s", "reply_id": "r1", "finished_reason": "completed", "error": null}',
  '{"id": "e", "created_at": "T", "metadata": {}, "type": "MODEL_CALL_END", "reply_id": "r1", "input_tokens": 1, "output_tokens": 2, "cache_input_tokens": 0, "cache_creation_input_tokens": 0, "finished_reason": "completed"}',
  '{"id": "e", "created_at": "T", "metadata": {}, "type": "HINT_BLOCK", "reply_id": "r1", "block_id": "b", "source": null, "hint": "h"}',
  '{"id": "e", "created_at": "T", "metadata": {}, "type": "TOOL_RESULT_DATA_DELTA", "reply_id": "r1", "tool_call_id": "c", "block_id": "b", "media_type": "m", "data": "YQ==", "url": null}',
  '{"id": "e", "created_at": "T", "metadata": {}, "type": "USER_CONFIRM_RESULT", "reply_id": "r1", "confirm_results": [{"confirmed": true, "tool_call": {"type": "tool_call", "id": "c1", "name": "f", "input": "", "state": "pending", "suggested_rules": [], "created_at": "T", "finished_at": null}, "rules": null}]}',
  '{"id": "e", "created_at": "T", "metadata": {}, "type": "USER_INTERRUPT", "reply_id": "r1"}',
  '{"id": "e", "created_at": "T", "metadata": {}, "type": "CUSTOM", "name": "n", "value": {}}',
];

function typeOf(dump: string): string {
  return (JSON.parse(dump) as { type: string }).type;
}

/** The same JSON with its members from the last to the first, at every level. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, reversed(member)] as const);
  return Object.fromEntries(entries.reverse());
}

/** Without the members that have the value of their default. */
function withoutDefaults(event: object): object {
  const defaults: readonly unknown[] = ["{}", "null", "0", '"completed"', '"assistant"'];
  return Object.fromEntries(
    Object.entries(event).filter(([, value]) => !defaults.includes(JSON.stringify(value))),
  );
}

describe("the wire", () => {
  it.each(DUMPS.map((dump) => [typeOf(dump), dump]))(
    "dumps %s as the reference does",
    (_type, dump) => {
      const event = JSON.parse(dump) as object;

      expect(JSON.stringify(parseEvent(event))).toBe(JSON.stringify(event));
      expect(JSON.stringify(parseEvent(reversed(event)))).toBe(JSON.stringify(event));
      expect(JSON.stringify(parseEvent(withoutDefaults(event)))).toBe(JSON.stringify(event));
    },
  );

  it("puts our seq last", () => {
    const event = { seq: 7, type: "USER_INTERRUPT", id: "e", created_at: "T", reply_id: "r1" };

    expect(JSON.stringify(parseEvent(event))).toBe(
      '{"id":"e","created_at":"T","metadata":{},"type":"USER_INTERRUPT","reply_id":"r1","seq":7}',
    );
  });
});
