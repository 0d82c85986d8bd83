import type { MiddlewareHandler } from "hono";

import { isApiKey } from "../../protocol/api-key-format.ts";
import type { Route } from "../../protocol/api/routes.ts";
import { operatorStorage } from "../../storage/operator-storage.ts";
import type { AppEnv } from "../app-env.ts";
import { HttpError } from "../http-error.ts";
import { hashApiKey, isSameSecret } from "../key-secrets.ts";
import { nowTimestamp } from "../new-id.ts";
import type { Principal } from "../principal.ts";

const API_KEY_START = "rk_";

/** Finds out who asks and whether the route lets them; the handler runs for nobody else. */
export const authenticate: MiddlewareHandler<AppEnv> = async (context, next) => {
  const route = context.get("route");
  const principal =
    route.access === "public"
      ? ({ kind: "public" } as const)
      : await identify(bearerToken(context.req.header("Authorization")), context.env);
  authorize(principal, route);
  context.set("principal", principal);
  await next();
};

function bearerToken(header: string | undefined): string {
  const token = /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1];
  if (!token) throw unauthenticated("send the header `Authorization: Bearer <API key>`");
  return token;
}

async function identify(token: string, env: Env): Promise<Principal> {
  if (!token.startsWith(API_KEY_START)) {
    const isOperator = Boolean(env.OPERATOR_KEY) && (await isSameSecret(token, env.OPERATOR_KEY));
    if (isOperator) return { kind: "operator" };
    throw unauthenticated("the credential is no API key of this platform");
  }
  if (!isApiKey(token)) {
    throw unauthenticated("the API key is mistyped or cut off: its checksum does not fit");
  }
  const key = await operatorStorage(env.DB).findApiKey(await hashApiKey(token, env.KEY_PEPPER));
  // One text for unknown, revoked and expired: whoever found an old key learns nothing from it.
  if (!key || (key.expires_at !== null && key.expires_at <= nowTimestamp())) {
    throw unauthenticated("the API key is unknown, revoked or expired");
  }
  return { kind: "tenant", tenantId: key.tenant_id, keyId: key.id, scopes: key.scopes };
}

function authorize(principal: Principal, route: Route): void {
  if (route.access === "public") return;
  if (principal.kind === "operator") {
    if (route.access === "operator" || route.operator_for_tenant) return;
    throw new HttpError(
      "insufficient_scope",
      "this route takes a tenant's API key, not the operator's",
    );
  }
  if (route.access === "operator") {
    throw new HttpError("insufficient_scope", "this route takes the operator's key");
  }
  if (principal.kind === "tenant" && principal.scopes.includes(route.access)) return;
  throw new HttpError("insufficient_scope", `the API key lacks the scope ${route.access}`, {
    extensions: { required_scope: route.access },
  });
}

function unauthenticated(detail: string): HttpError {
  return new HttpError("unauthenticated", detail, {
    headers: { "WWW-Authenticate": 'Bearer realm="reprise"' },
  });
}
