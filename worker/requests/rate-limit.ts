// Rate limits, counted by Cloudflare's rate limiting bindings at each location. Not for quotas or billing: a binding
// tells only whether a request is allowed, not how many remain.
import type { MiddlewareHandler } from "hono";

import type { Quotas } from "../../protocol/quotas/contract.ts";
import {
  TOKEN_REQUESTS_PER_WINDOW,
  RATE_LIMIT_WINDOW_SECONDS,
  UNAUTHENTICATED_REQUESTS_PER_WINDOW,
  TENANT_REQUESTS_PER_WINDOW,
} from "../../protocol/requests/limits.ts";
import type { AppContext, AppEnv } from "../app-env.ts";
import { addressGroup } from "./address-group.ts";
import { HttpError } from "../http-error.ts";

/** The quotas by policy name, as in the headers of draft-ietf-httpapi-ratelimit-headers. */
const QUOTAS = {
  tenant: TENANT_REQUESTS_PER_WINDOW,
  token: TOKEN_REQUESTS_PER_WINDOW,
  address: UNAUTHENTICATED_REQUESTS_PER_WINDOW,
} as const;
type PolicyName = keyof typeof QUOTAS;

type RequestQuota = Quotas["requests"];

/** The `RateLimit-Policy` value with the tenant's own quota, if known. */
function policies(tenant: RequestQuota = QUOTAS.tenant): string {
  return Object.entries({ ...QUOTAS, tenant })
    .map(([name, quota]) => `"${name}";q=${quota};w=${RATE_LIMIT_WINDOW_SECONDS}`)
    .join(", ");
}

/** Bindings have fixed limits, so each possible quota has its own binding. */
function tenantLimit(env: Env, quota: RequestQuota): RateLimit | undefined {
  switch (quota) {
    case 100:
      return env.TENANT_LIMIT_100;
    case 1_000:
      return env.TENANT_LIMIT_1000;
    case TENANT_REQUESTS_PER_WINDOW:
      return env.TENANT_LIMIT;
    default:
      return quota satisfies never;
  }
}

/** Adds the rate limit policy headers to the answers of limited routes. */
export const announceLimits: MiddlewareHandler<AppEnv> = async (context, next) => {
  await next();
  const { access, is_signed, is_limited } = context.get("route");
  if (access !== "public" || is_signed || is_limited) {
    context.res.headers.set("RateLimit-Policy", policies(context.get("requestQuota")));
  }
};

/** Counts a request with a tenant's API key. @throws HttpError `rate_limited`. */
export async function limitTenant(
  context: AppContext,
  tenantId: string,
  quota: RequestQuota = QUOTAS.tenant,
): Promise<void> {
  context.set("requestQuota", quota);
  context.set("countAgain", () => limitTenant(context, tenantId, quota));
  if (await hasRoom(tenantLimit(context.env, quota), tenantId)) return;
  throw tooMany("tenant", "the tenant has sent too many requests", quota);
}

/** A credential that a tenant has issued. Each has its own limit. */
interface IssuedCredential {
  readonly kind:
    | "client token"
    | "end user"
    | "callback address"
    | "inbound endpoint"
    | "push address"
    | "trigger address"
    | "file link";
  /** Unique over all kinds. */
  readonly id: string;
}

/** Counts a request against the limit of its credential. @throws HttpError `rate_limited`. */
export async function limitCredential(
  { env }: AppContext,
  { kind, id }: IssuedCredential,
): Promise<void> {
  if (await hasRoom(env.TOKEN_LIMIT, id)) return;
  throw tooMany("token", `this ${kind} has sent too many requests`);
}

/**
 * Counts a request with a client token or callback URL: against its own limit, then against the common limit of all the
 * tenant's apps. The tenant's servers are counted separately, so that its end users cannot block them.
 * @throws HttpError `rate_limited`.
 */
export async function limitApp(
  context: AppContext,
  tenantId: string,
  handedOut: IssuedCredential,
  quota: RequestQuota = QUOTAS.tenant,
): Promise<void> {
  context.set("requestQuota", quota);
  context.set("countAgain", () => limitApp(context, tenantId, handedOut, quota));
  await limitCredential(context, handedOut);
  if (await hasRoom(tenantLimit(context.env, quota), `${tenantId} apps`)) return;
  throw tooMany("tenant", "the tenant's apps have sent too many requests", quota);
}

/** Counts more messages of a request, each as a request. @throws HttpError `rate_limited`. */
export async function countMessages(context: AppContext, count: number): Promise<void> {
  const countAgain = context.get("countAgain");
  // One after the other: with the first that is refused the rest need not be counted.
  for (let counted = 0; counted < count; counted += 1) {
    await countAgain?.();
  }
}

/**
 * Counts a request without a known valid credential by its address. A request without an address is not counted,
 * because all of those would share one limit; the network in front always sets it.
 * @throws HttpError `rate_limited` after too many such requests of the address.
 */
export async function limitUnauthenticated({ env, req }: AppContext): Promise<void> {
  const address = req.header("CF-Connecting-IP");
  if (!address || (await hasRoom(env.ADDRESS_LIMIT, addressGroup(address)))) return;
  throw tooMany(
    "address",
    "too many requests with invalid or unknown credentials from this address",
  );
}

/** Contract: never rejects. Fails open: a missing or failing binding allows the request. */
async function hasRoom(limit: RateLimit | undefined, key: string): Promise<boolean> {
  if (!limit) return true;
  try {
    return (await limit.limit({ key })).success;
  } catch (error) {
    console.warn("rate limit: the binding failed; the request is allowed", {
      error: String(error),
    });
    return true;
  }
}

/** The binding does not tell when the window ends, but it has ended after one window length from now. */
function tooMany(policy: PolicyName, reason: string, quota: number = QUOTAS[policy]): HttpError {
  const seconds = RATE_LIMIT_WINDOW_SECONDS;
  return new HttpError(
    "rate_limited",
    `${reason}, more than ${quota} in ${seconds} seconds; nothing was done, try again in ${seconds} seconds`,
    { headers: { "Retry-After": String(seconds), RateLimit: `"${policy}";r=0;t=${seconds}` } },
  );
}
