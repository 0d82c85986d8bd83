import type { Scope } from "../protocol/keys/contract.ts";
import { SCOPES } from "../protocol/keys/contract.ts";
import type { OperatorRight } from "../protocol/members/operator-roles.ts";
import { type Verb, VERB_SCOPES } from "../protocol/client-tokens/contract.ts";
import type { EndUserShareChange } from "../protocol/quotas/end-user-share.ts";
import type { ClientTokenClaims, RoomTokenClaims } from "../storage/secrets/signed-token.ts";
import { HttpError } from "./http-error.ts";

/** The one who has a tenant's rights in a request: an API key, or a person. Names what is made with those rights. */
type Bearer =
  | { readonly kind: "api_key"; readonly id: string }
  | { readonly kind: "member"; readonly id: string; readonly name: string };

/** The one who acts as the operator: the operator's key, of those accepted during a rotation, or a person. */
type OperatorBearer =
  | { readonly kind: "operator_key"; readonly id: string }
  | { readonly kind: "member"; readonly id: string; readonly name: string };

/** The authenticated sender of a request. */
export type Principal =
  | { readonly kind: "public" }
  | {
      readonly kind: "operator";
      readonly bearer: OperatorBearer;
      /** All of them for the operator's key, else those of the person's role. */
      readonly rights: readonly OperatorRight[];
      /** The console session whose access token was sent; missing for the key itself. */
      readonly consoleSessionId?: string;
    }
  | {
      readonly kind: "tenant";
      readonly tenantId: string;
      readonly bearer: Bearer;
      readonly scopes: readonly Scope[];
      /** Expiry of the key, UTC ISO 8601; null for none. */
      readonly expiresAt: string | null;
      /** The console session whose access token was sent; missing for the key itself. */
      readonly consoleSessionId?: string;
      /** When the access token expires, and with it the streams that it opens; missing for the key itself. */
      readonly streamsUntil?: string;
    }
  /** A client token or a stream ticket; only on routes that accept one of its verbs, and for its session. */
  | {
      readonly kind: "client_token";
      readonly tenantId: string;
      readonly sessionId: string;
      readonly tokenId: string;
      readonly verbs: readonly Verb[];
      /** The token's claims, for tickets minted with it. */
      readonly claims: ClientTokenClaims;
    }
  /** A client token of a room, or a stream ticket; only on routes that accept one of its verbs, and for its room. */
  | {
      readonly kind: "room_token";
      readonly tenantId: string;
      readonly roomId: string;
      /** The person as whom it speaks; null for nobody. */
      readonly participant: string | null;
      readonly tokenId: string;
      readonly verbs: readonly Verb[];
      /** The token's claims, for tickets minted with it. */
      readonly claims: RoomTokenClaims;
    }
  /** An end user with a JWT of an issuer that the tenant has registered; only on routes that accept those. */
  | {
      readonly kind: "end_user";
      readonly tenantId: string;
      readonly issuerId: string;
      /** The sessions with this end user, of the agent in the path, are theirs; all others are not found. */
      readonly endUserId: string;
      readonly agentId: string;
      readonly verbs: readonly Verb[];
      /** Origins of pages that may send the token; null for none but the platform's own and this machine's. */
      readonly allowedOrigins: readonly string[] | null;
      /** Expiry of the token, UTC ISO 8601. */
      readonly expiresAt: string;
      /** The part of the end user's share that the issuer sets itself. */
      readonly share: EndUserShareChange;
    };

/** The part of a request's context that these functions read. */
interface PrincipalContext {
  get(name: "principal"): Principal;
}

/** The tenant of the key or client token. Only for routes with a scope, which other principals cannot reach. */
export function tenantOf(context: PrincipalContext): string {
  const principal = context.get("principal");
  if (principal.kind !== "operator" && principal.kind !== "public") return principal.tenantId;
  throw new HttpError("insufficient_scope", "this route takes a tenant's API key");
}

/** A client token of a session or of a room, which an app holds. */
type HandedOut = Extract<Principal, { kind: "client_token" | "room_token" }>;

export function isHandedOut(principal: Principal): principal is HandedOut {
  return principal.kind === "client_token" || principal.kind === "room_token";
}

/**
 * The share that binds an end user's own request, over the one in the tenant's quotas; undefined for a credential that
 * no share binds.
 */
export function shareOf(principal: Principal): EndUserShareChange | undefined {
  if (principal.kind === "end_user") return principal.share;
  return isHandedOut(principal) ? {} : undefined;
}

/** The credential that is recorded as the maker of a thing: of a key or a member the id, else `operator`. */
export function makerOf(principal: Principal): string {
  const bearer = "bearer" in principal ? principal.bearer : null;
  return bearer === null || bearer.kind === "operator_key" ? "operator" : bearer.id;
}

/**
 * The id with which what this credential hands out for a short time ends: of the key, or of the member's console session,
 * since a member may sign in anew.
 */
export function cutIdOf({
  bearer,
  consoleSessionId,
}: Extract<Principal, { kind: "tenant" }>): string {
  return bearer.kind === "member" && consoleSessionId !== undefined ? consoleSessionId : bearer.id;
}

/** The scopes that a key created with this credential may have. */
export function scopesOf(principal: Principal): readonly Scope[] {
  if (principal.kind === "operator") return SCOPES;
  return principal.kind === "tenant" ? principal.scopes : [];
}

/** The latest expiry of keys created or rotated with this credential; null when there is no limit. */
export function expiryOf(principal: Principal): string | null {
  return principal.kind === "tenant" ? principal.expiresAt : null;
}

/** The moment at which what is made with this credential ends at the latest, in Unix milliseconds. */
export function keyEndMs(principal: Principal): number {
  const expiresAt = expiryOf(principal);
  return expiresAt === null ? Infinity : Date.parse(expiresAt);
}

/** Whether this credential may answer for a person who is asked. */
export function mayConfirm(principal: Principal): boolean {
  return isHandedOut(principal) || principal.kind === "end_user"
    ? principal.verbs.includes("confirm")
    : scopesOf(principal).includes(VERB_SCOPES.confirm);
}

/** Whether this credential may edit the input of a call that it confirms. */
export function mayEdit(principal: Principal): boolean {
  return isHandedOut(principal) || principal.kind === "end_user"
    ? principal.verbs.includes("confirm") && principal.verbs.includes("edit")
    : scopesOf(principal).includes(VERB_SCOPES.edit);
}

/** The reader's credential, for a stream: the stream ends with the credential that opened it. */
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
  if (isHandedOut(principal)) return { token_id: principal.tokenId };
  if (principal.kind === "end_user") {
    return { key_id: principal.issuerId, key_expires_at: principal.expiresAt };
  }
  if (principal.kind !== "tenant") return {};
  const { streamsUntil = principal.expiresAt } = principal;
  return {
    key_id: cutIdOf(principal),
    ...(streamsUntil !== null && { key_expires_at: streamsUntil }),
  };
}
