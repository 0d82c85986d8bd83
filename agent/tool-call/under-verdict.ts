// A call that a hook has blocked, or asked a person about: the decision about it gets stricter, and never looser.
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { PermissionSettings } from "../permission/check-call.ts";
import type { ReplyState } from "../state/reply-state.ts";
import type { PreparedCall } from "./prepare-call.ts";

/** Once a person has allowed the call, the hook's question is answered. */
export function underVerdict(
  prepared: PreparedCall,
  call: ToolCallBlock,
  { hooks }: Pick<ReplyState, "hooks">,
  { mode }: Pick<PermissionSettings, "mode">,
): PreparedCall {
  const verdict = hooks.verdicts.get(call.id);
  if (!verdict || prepared.type === "refuse" || call.state === "allowed") return prepared;
  const { hook, outcome, reason: given } = verdict;
  const reason = given === undefined ? `Hook: ${hook}` : `Hook: ${hook}: ${given}`;
  if (outcome === "blocked" || mode === "dont_ask") {
    const text = `The call of ${call.name} was denied. ${given ?? reason}`;
    const decision = { behavior: "deny", reason, rule: null } as const;
    return { type: "refuse", refusal: { state: "denied", text, decision } };
  }
  const { tool, input } = prepared;
  const own = prepared.type === "ask" ? prepared.permission : null;
  const isSafetyAsk = own?.isSafetyAsk ?? false;
  const permission = {
    // The call's own question is shown to the person all the same.
    ...(own?.person && { person: own.person }),
    ...(own?.untrusted && { untrusted: own.untrusted }),
    behavior: "ask",
    reason: own && isSafetyAsk ? own.reason : reason,
    rule: null,
    suggestedRules: [],
    isSafetyAsk,
  } as const;
  return { type: "ask", tool, input, permission };
}
