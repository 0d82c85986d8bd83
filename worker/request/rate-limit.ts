// A brake on floods, counted by the runtime at each of its locations: no quota, and nothing to be billed by. It tells
// only whether there is room, never how much.
import type { MiddlewareHandler } from "hono";

import type { Quotas } from "../../protocol/api/quotas.ts";
import {
  TOKEN_REQUESTS_PER_WINDOW,
  RATE_LIMIT_WINDOW_SECONDS,
  STRANGER_REQUESTS_PER_WINDOW,
  TENANT_REQUESTS_PER_WINDOW,
} from "../../protocol/limits/requests.ts";
import type { AppContext, AppEnv } from "../app-env.ts";
import { addressGroup } from "./address-group.ts";
import { HttpError } from "../http-error.ts";

/** The policies' names, as the headers have them (draft-ietf-httpapi-ratelimit-headers), with their quotas. */
const QUOTAS = {
  tenant: TENANT_REQUESTS_PER_WINDOW,
  token: TOKEN_REQUESTS_PER_WINDOW,
  address: STRANGER_REQUESTS_PER_WINDOW,
} as const;
type PolicyName = keyof typeof QUOTAS;

type RequestQuota = Quotas["requests"];

/** The policies with the tenant's own quota, as far as it is known. */
function policies(tenant: RequestQuota = QUOTAS.tenant): string {
  return Object.entries({ ...QUOTAS, tenant })
    .map(([name, quota]) => `"${name}";q=${quota};w=${RATE_LIMIT_WINDOW_SECONDS}`)
    .join(", ");
}

/** The runtime's brakes have fixed sizes: each quota that a tenant may have is one of them. */
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

/** Names the limits on every answer of a route that has them. */
export const announceLimits: MiddlewareHandler<AppEnv> = async (context, next) => {
  await next();
  const { access, is_signed } = context.get("route");
  if (access !== "public" || is_signed) {
    context.res.headers.set("RateLimit-Policy", policies(context.get("requestQuota")));
  }
};

/** Counts a request of the tenant's own. @throws HttpError `rate_limited` when there were too many. */
export async function limitTenant(
  context: AppContext,
  tenantId: string,
  quota: RequestQuota = QUOTAS.tenant,
): Promise<void> {
  context.set("requestQuota", quota);
  if (await hasRoom(tenantLimit(context.env, quota), tenantId)) return;
  throw tooMany("tenant", "the tenant has sent too many requests", quota);
}

/** What a tenant has handed out: each has room of its own, and uses up nobody else's. */
interface HandedOut {
  readonly kind: "client token" | "callback address" | "inbound endpoint";
  /** Unlike that of any other, of whatever kind. */
  readonly id: string;
}

/** Counts a request of one credential alone. @throws HttpError `rate_limited` when there were too many. */
export async function limitHandedOut({ env }: AppContext, { kind, id }: HandedOut): Promise<void> {
  if (await hasRoom(env.TOKEN_LIMIT, id)) return;
  throw tooMany("token", `this ${kind} has sent too many requests`);
}

/**
 * Counts a request of an app, or of whoever holds a callback address: as one of its credential, and when that has room,
 * with those of all the tenant's apps. The tenant's own servers are counted apart, so that no number of end users stops
 * them.
 * @throws HttpError `rate_limited` when there were too many.
 */
export async function limitApp(
  context: AppContext,
  tenantId: string,
  handedOut: HandedOut,
  quota: RequestQuota = QUOTAS.tenant,
): Promise<void> {
  context.set("requestQuota", quota);
  await limitHandedOut(context, handedOut);
  if (await hasRoom(tenantLimit(context.env, quota), `${tenantId} apps`)) return;
  throw tooMany("tenant", "the tenant's apps have sent too many requests", quota);
}

/**
 * Counts a request whose credential nobody here knows. One without an address, which the network in front always
 * gives, is not counted: all of them together would be one client.
 * @throws HttpError `rate_limited` when the address has sent too many such requests.
 */
export async function limitStranger({ env, req }: AppContext): Promise<void> {
  const address = req.header("CF-Connecting-IP");
  if (!address || (await hasRoom(env.ADDRESS_LIMIT, addressGroup(address)))) return;
  throw tooMany(
    "address",
    "your address has sent too many requests whose credentials are wrong or not known yet",
  );
}

/** Contract: never rejects. A brake that is missing or fails stops nobody. */
async function hasRoom(limit: RateLimit | undefined, key: string): Promise<boolean> {
  if (!limit) return true;
  try {
    return (await limit.limit({ key })).success;
  } catch (error) {
    console.warn("a rate limit could not be asked", { error: String(error) });
    return true;
  }
}

/** Nobody tells when the window ends, but by its length from now it has. */
function tooMany(policy: PolicyName, reason: string, quota: number = QUOTAS[policy]): HttpError {
  const seconds = RATE_LIMIT_WINDOW_SECONDS;
  return new HttpError(
    "rate_limited",
    `${reason}, more than ${quota} in ${seconds} seconds; nothing was done, try again in ${seconds} seconds`,
    { headers: { "Retry-After": String(seconds), RateLimit: `"${policy}";r=0;t=${seconds}` } },
  );
}
