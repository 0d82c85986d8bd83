import type { VoiceRights } from "../../durable-objects/api/voice-request.ts";
import { INPUT_EVENT_RIGHTS } from "../../protocol/events/contract.ts";
import { isHandedOut, mayConfirm, type Principal } from "../principal.ts";

/** Rights of a voice connection beside that to speak. */
export function voiceRightsOf(principal: Principal): VoiceRights {
  return {
    may_confirm: mayConfirm(principal),
    may_give_results: mayPost(principal, "EXTERNAL_EXECUTION_RESULT"),
    may_interrupt: mayPost(principal, "USER_INTERRUPT"),
    may_configure: principal.kind === "tenant",
  };
}

function mayPost(principal: Principal, type: keyof typeof INPUT_EVENT_RIGHTS): boolean {
  const { scope, verb } = INPUT_EVENT_RIGHTS[type];
  if (isHandedOut(principal) || principal.kind === "end_user")
    return principal.verbs.includes(verb);
  return principal.kind === "tenant" && principal.scopes.includes(scope);
}
