// Rights at the door of calls of A2A, one of which is needed. The method decides which one.
import type { Verb } from "../client-tokens/contract.ts";
import type { Scope } from "../keys/contract.ts";

interface CallRight {
  readonly scope: Scope;
  readonly verb: Verb;
}

/** To send a message, to answer a call that waits, to give its result, and to read. */
export const A2A_CALL_RIGHTS: readonly CallRight[] = [
  { scope: "replies:write", verb: "reply" },
  { scope: "confirmations:write", verb: "confirm" },
  { scope: "tool_results:write", verb: "tool_result" },
  { scope: "sessions:read", verb: "read" },
];
