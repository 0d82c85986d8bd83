import type { IssuerVerb } from "../../protocol/token-issuers/contract.ts";
import { VERB_SCOPES } from "../../protocol/client-tokens/contract.ts";
import type { AppContext } from "../app-env.ts";
import { issuerVerbMissing } from "../auth/verb-missing.ts";
import { HttpError } from "../http-error.ts";
import { scopesOf } from "../principal.ts";

/** Whether an end user has the verb from their issuer, or a key its scope. */
export function hasVerb(context: AppContext, verb: IssuerVerb): boolean {
  const principal = context.get("principal");
  return principal.kind === "end_user"
    ? principal.verbs.includes(verb)
    : scopesOf(principal).includes(VERB_SCOPES[verb]);
}

/** @throws HttpError 403 that names the missing right. */
export function requireVerb(context: AppContext, verb: IssuerVerb): void {
  if (hasVerb(context, verb)) return;
  if (context.get("principal").kind === "end_user") {
    throw issuerVerbMissing(verb);
  }
  const required_scope = VERB_SCOPES[verb];
  throw new HttpError("insufficient_scope", `the API key lacks the scope ${required_scope}`, {
    extensions: { required_scope },
  });
}
