import type { PendingCall } from "../../protocol/replies/contract.ts";
import { MAX_SHOWN_CALLS, MAX_SHOWN_INPUT_CHARACTERS } from "../../protocol/requests/limits.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";

/** The waiting calls as one response shows them: beyond its size limit without their input and suggested rules. */
export function shownCalls<Call extends PendingCall>(calls: readonly Call[]): readonly Call[] {
  let room = MAX_SHOWN_INPUT_CHARACTERS;
  return calls.slice(0, MAX_SHOWN_CALLS).map((call) => {
    const { input, suggested_rules } = call.tool_call;
    const characters = input.length + JSON.stringify(suggested_rules).length;
    if (characters > room) return withoutInput(call);
    room -= characters;
    return call;
  });
}

function withoutInput<Call extends PendingCall>(call: Call): Call {
  return {
    ...call,
    tool_call: { ...call.tool_call, input: "", suggested_rules: [] },
    suggested_rules: [],
    omitted: { bytes: utf8Bytes(call.tool_call.input) },
  };
}
