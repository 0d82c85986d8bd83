import type { Scope } from "../protocol/api/api-keys.ts";
import { SCOPES } from "../protocol/api/api-keys.ts";
import type { AppContext } from "./app-env.ts";
import { HttpError } from "./http-error.ts";

/** Who sent the request, as its credential says. */
export type Principal =
  | { readonly kind: "public" }
  | { readonly kind: "operator" }
  | {
      readonly kind: "tenant";
      readonly tenantId: string;
      readonly keyId: string;
      readonly scopes: readonly Scope[];
    };

/** The tenant whose key this is. Only for routes that take a scope, where nobody else gets in. */
export function tenantOf(context: AppContext): string {
  const principal = context.get("principal");
  if (principal.kind === "tenant") return principal.tenantId;
  throw new HttpError("insufficient_scope", "this route takes a tenant's API key");
}

/** What this credential may pass on to a key that it makes. */
export function scopesOf(principal: Principal): readonly Scope[] {
  if (principal.kind === "operator") return SCOPES;
  return principal.kind === "tenant" ? principal.scopes : [];
}
