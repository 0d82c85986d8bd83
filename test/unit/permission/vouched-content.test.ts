import { describe, expect, it } from "vitest";

import { vouchedContent } from "../../../agent/permission/vouched-content.ts";
import { AgentStateInputSchema } from "../../../protocol/sessions/session-state.ts";

const AT = "2026-03-01T12:00:00.000Z";

/** A state with a result of each of these calls, and what it says of them. */
function stateOf(calls: readonly string[], said: unknown, summary: unknown = "") {
  const content = calls.flatMap((id) => [
    { type: "tool_call", id, name: "read_mail", input: "{}", state: "finished" },
    { type: "tool_result", id, name: "read_mail", output: "Hello.", state: "success" },
  ]);
  const message = { id: "m_1", name: "Desk", role: "assistant", content, created_at: AT };
  return AgentStateInputSchema.parse({
    summary,
    context: calls.length > 0 ? [message] : [],
    ...(said !== undefined && { middle_context: { untrusted_content: said } }),
  });
}

function untrusted(tool_call_id: string, place = "context") {
  return { tool_call_id, place, source: { tool_name: "read_mail", tool_call_id } };
}

describe("what an imported state vouches for", () => {
  it("is what it does not name as untrusted", () => {
    const all = stateOf(["call_1", "call_2"], { results: [] }, "They wrote.");
    const some = stateOf(["call_1", "call_2"], { results: [untrusted("call_1")] });

    expect([vouchedContent(all), vouchedContent(some)]).toEqual([
      { results: ["call_1", "call_2"], summary: true },
      { results: ["call_2"], summary: false },
    ]);
  });

  it("is nothing where it says nothing, nothing that can be read, or that all of it is untrusted", () => {
    const states = [
      stateOf(["call_1"], undefined, "They wrote."),
      stateOf(["call_1"], { results: "none" }, "They wrote."),
      stateOf(["call_1"], { results: [untrusted("call_1"), untrusted("call_0", "summary")] }, [
        { type: "text", text: "They wrote." },
      ]),
      stateOf([], { results: [] }),
    ];

    expect(states.map(vouchedContent)).toEqual([null, null, null, null]);
  });
});
