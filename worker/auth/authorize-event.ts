import { INPUT_EVENT_RIGHTS } from "../../protocol/events/contract.ts";
import type { InputEvent } from "../../protocol/events.ts";
import { HttpError } from "../http-error.ts";
import { verbMissing } from "./verb-missing.ts";
import { isHandedOut, type Principal } from "../principal.ts";

/** Checks that this credential may post an event of this type. @throws HttpError 403 that names the missing right. */
export function authorizeEvent(principal: Principal, type: InputEvent["type"]): void {
  const { scope, verb } = INPUT_EVENT_RIGHTS[type];
  if (isHandedOut(principal) || principal.kind === "end_user") {
    if (principal.verbs.includes(verb)) return;
    throw verbMissing([verb]);
  }
  if (principal.kind === "tenant" && principal.scopes.includes(scope)) return;
  throw new HttpError("insufficient_scope", `the API key lacks the scope ${scope}`, {
    extensions: { required_scope: scope },
  });
}
