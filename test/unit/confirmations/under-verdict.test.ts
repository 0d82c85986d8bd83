// A hook's verdict about a call makes the decision stricter, whatever it was, and never looser.
import { expect, it } from "vitest";

import { NO_HOOKS } from "../../../agent/state/hook-record.ts";
import type { PreparedCall } from "../../../agent/tool-call/prepare-call.ts";
import { underVerdict } from "../../../agent/tool-call/under-verdict.ts";
import type { HookAnsweredValue } from "../../../protocol/hooks/events.ts";
import type { ToolCallBlock } from "../../../protocol/messages/blocks.ts";

const TOOL = { name: "pay" } as never;
const INPUT = { to: "A" };
const CALL = { id: "c1", name: "pay", state: "pending" } as ToolCallBlock;
const RUN = { type: "run", tool: TOOL, input: INPUT } as unknown as PreparedCall;
const REFUSED = { type: "refuse", refusal: {} } as unknown as PreparedCall;
/** The rules' own question, with everything that one may have. */
const OWN = {
  behavior: "ask",
  reason: "Deletes files.",
  rule: { tool_name: "pay" },
  suggestedRules: [{ tool_name: "pay" }],
  isSafetyAsk: false,
  person: { question: "Pay A?" },
  untrusted: [{ tool_name: "mail" }],
};
const ASK = { type: "ask", tool: TOOL, input: INPUT, permission: OWN } as unknown as PreparedCall;

function verdict(outcome: "asked" | "blocked", reason?: string): HookAnsweredValue {
  const asks = outcome === "asked" ? { asks: true as const } : {};
  return { id: "q1", hook: "desk", point: "pre_acting", step: "c1", outcome, reason, ...asks };
}

function under(
  prepared: PreparedCall,
  given: HookAnsweredValue,
  { call = CALL, mode = "default" }: { call?: ToolCallBlock; mode?: string } = {},
): unknown {
  const hooks = { ...NO_HOOKS, verdicts: new Map([["c1", given]]) };
  return underVerdict(prepared, call, { hooks }, { mode } as never);
}

function refusal(text: string, reason: string): object {
  const decision = { behavior: "deny", reason, rule: null };
  return { type: "refuse", refusal: { state: "denied", text, decision } };
}

function question(reason: string, more: object = {}): object {
  const permission = {
    behavior: "ask",
    reason,
    rule: null,
    suggestedRules: [],
    isSafetyAsk: false,
  };
  return { type: "ask", tool: TOOL, input: INPUT, permission: { ...permission, ...more } };
}

it("a blocked call is refused with the hook's reason, also one that would have been asked about", () => {
  for (const prepared of [RUN, ASK]) {
    expect(under(prepared, verdict("blocked", "Not today."))).toStrictEqual(
      refusal("The call of pay was denied. Not today.", "Hook: desk: Not today."),
    );
    expect(under(prepared, verdict("blocked"))).toStrictEqual(
      refusal("The call of pay was denied. Hook: desk", "Hook: desk"),
    );
  }
});

it("a call that a hook asks about is asked about, and offers no rule by which it would not be", () => {
  expect(under(RUN, verdict("asked"))).toStrictEqual(question("Hook: desk"));
  expect(under(RUN, verdict("asked", "new payee"), { mode: "bypass" })).toStrictEqual(
    question("Hook: desk: new payee"),
  );
});

it("the call's own question keeps what it shows a person, and the reason of a dangerous one", () => {
  const { person, untrusted, reason } = OWN;
  const dangerous = {
    ...ASK,
    permission: { ...OWN, isSafetyAsk: true },
  } as unknown as PreparedCall;

  expect(under(ASK, verdict("asked"))).toStrictEqual(question("Hook: desk", { person, untrusted }));
  expect(under(dangerous, verdict("asked"))).toStrictEqual(
    question(reason, { person, untrusted, isSafetyAsk: true }),
  );
});

it("where nobody is asked, a call that a hook asks about is refused", () => {
  expect(under(RUN, verdict("asked", "new payee"), { mode: "dont_ask" })).toStrictEqual(
    refusal("The call of pay was denied. new payee", "Hook: desk: new payee"),
  );
});

it("nothing changes without a verdict, for a refused call, and once a person has allowed it", () => {
  const allowed = { ...CALL, state: "allowed" } as ToolCallBlock;
  const other = { ...CALL, id: "c2" } as ToolCallBlock;

  expect(under(RUN, verdict("blocked"), { call: other })).toBe(RUN);
  expect(under(REFUSED, verdict("asked"))).toBe(REFUSED);
  expect(under(RUN, verdict("blocked"), { call: allowed })).toBe(RUN);
});
