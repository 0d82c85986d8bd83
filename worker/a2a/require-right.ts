import { type Verb, VERB_SCOPES } from "../../protocol/client-tokens/contract.ts";
import { issuerVerbMissing, verbMissing } from "../auth/verb-missing.ts";
import { HttpError } from "../http-error.ts";
import { type Principal, scopesOf } from "../principal.ts";

/** Whether a key has the verb's scope, and any other credential the verb itself. */
export function hasRight(principal: Principal, verb: Verb): boolean {
  return principal.kind === "client_token" || principal.kind === "end_user"
    ? principal.verbs.includes(verb)
    : scopesOf(principal).includes(VERB_SCOPES[verb]);
}

/** @throws HttpError 403 that names the missing right. */
export function requireRight(principal: Principal, verb: Verb): void {
  if (hasRight(principal, verb)) return;
  if (principal.kind === "client_token") throw verbMissing([verb]);
  if (principal.kind === "end_user") throw issuerVerbMissing(verb);
  const required_scope = VERB_SCOPES[verb];
  throw new HttpError("insufficient_scope", `the API key lacks the scope ${required_scope}`, {
    extensions: { required_scope },
  });
}
