import type { Scope } from "../protocol/api/api-keys.ts";
import { SCOPES } from "../protocol/api/api-keys.ts";
import { type Verb, VERB_SCOPES } from "../protocol/api/client-tokens.ts";
import type { ClientTokenClaims } from "../storage/secrets/signed-token.ts";
import { HttpError } from "./http-error.ts";

/** Who sent the request, as its credential says. */
export type Principal =
  | { readonly kind: "public" }
  | {
      readonly kind: "operator";
      /** Which of the operator's keys it is, of those that a rotation accepts. */
      readonly keyId: string;
    }
  | {
      readonly kind: "tenant";
      readonly tenantId: string;
      readonly keyId: string;
      readonly scopes: readonly Scope[];
      /** When the key ends, UTC ISO 8601; null when it does not. */
      readonly expiresAt: string | null;
    }
  /** A client token, or a stream ticket of one; only on routes with a verb that it has, for its own session. */
  | {
      readonly kind: "client_token";
      readonly tenantId: string;
      readonly sessionId: string;
      readonly tokenId: string;
      readonly verbs: readonly Verb[];
      /** All that the token says, for a ticket that is minted with it. */
      readonly claims: ClientTokenClaims;
    };

/** The part of a request's context that these functions read. */
interface PrincipalContext {
  get(name: "principal"): Principal;
}

/** The tenant whose key or client token this is. Only for routes that take a scope, where nobody else gets in. */
export function tenantOf(context: PrincipalContext): string {
  const principal = context.get("principal");
  if (principal.kind === "tenant" || principal.kind === "client_token") return principal.tenantId;
  throw new HttpError("insufficient_scope", "this route takes a tenant's API key");
}

/** What this credential may pass on to a key that it makes. */
export function scopesOf(principal: Principal): readonly Scope[] {
  if (principal.kind === "operator") return SCOPES;
  return principal.kind === "tenant" ? principal.scopes : [];
}

/** The end that no key may outlive which this credential makes or gets the secret of; null when there is none. */
export function expiryOf(principal: Principal): string | null {
  return principal.kind === "tenant" ? principal.expiresAt : null;
}

/** Whether an answer of this credential may change the input of the call that it allows. */
export function mayEdit(principal: Principal): boolean {
  return principal.kind === "client_token"
    ? principal.verbs.includes("confirm") && principal.verbs.includes("edit")
    : scopesOf(principal).includes(VERB_SCOPES.edit);
}

/** Of a stream, what goes by its reader: it ends with the credential that opened it. */
export function readerOf(context: PrincipalContext): StreamReader {
  const principal = context.get("principal");
  return { ...credentialOf(principal), may_edit: mayEdit(principal) };
}

interface StreamReader {
  readonly token_id?: string;
  readonly key_id?: string;
  readonly key_expires_at?: string;
  readonly may_edit: boolean;
}

function credentialOf(principal: Principal): Omit<StreamReader, "may_edit"> {
  if (principal.kind === "client_token") return { token_id: principal.tokenId };
  if (principal.kind !== "tenant") return {};
  const { keyId, expiresAt } = principal;
  return { key_id: keyId, ...(expiresAt !== null && { key_expires_at: expiresAt }) };
}
