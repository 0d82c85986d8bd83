// Quotas: limits of a tenant's resources and usage. The operator sets them; `GET /v1/limits` shows them with the usage.
import * as z from "zod";

import {
  DEFAULT_A2A_TASKS,
  DEFAULT_AGENT_VERSIONS,
  DEFAULT_AGENTS,
  DEFAULT_API_KEYS,
  DEFAULT_CREDENTIALS,
  DEFAULT_DATABASE_BYTES,
  DEFAULT_INBOUND_ENDPOINTS,
  DEFAULT_MCP_SERVERS,
  DEFAULT_MEMBERS,
  DEFAULT_MEMORY_STORES,
  DEFAULT_ROOMS,
  DEFAULT_RUNNING_REPLIES,
  DEFAULT_SESSIONS,
  DEFAULT_SKILLS,
  DEFAULT_STORED_BYTES,
  DEFAULT_TOKENS_PER_DAY,
  DEFAULT_TRIGGERS,
  DEFAULT_WEBHOOK_ENDPOINTS,
  MAX_QUOTA,
} from "./limits.ts";
import { DEFAULT_MEMORIES_PER_STORE, MAX_MEMORIES_PER_STORE } from "../memory/limits.ts";
import { TENANT_REQUESTS_PER_WINDOW } from "../requests/limits.ts";
import { TimestampSchema } from "../schemas/common.ts";
import {
  changeShare,
  DEFAULT_END_USER_SHARE,
  EndUserLimitsSchema,
  EndUserShareChangeSchema,
  type EndUserShareChange,
  EndUserShareSchema,
} from "./end-user-share.ts";

/** Quotas on numbers and bytes of rows, enforced by triggers in D1. */
export const COUNTED_QUOTAS = [
  "sessions",
  "agents",
  "agent_versions",
  "skills",
  "credentials",
  "api_keys",
  "webhook_endpoints",
  "inbound_endpoints",
  "mcp_servers",
  "members",
  "memory_stores",
  "triggers",
  "rooms",
  "a2a_tasks",
  "stored_bytes",
  "database_bytes",
] as const;
export type CountedQuota = (typeof COUNTED_QUOTAS)[number];

/** The rate limiters that exist: each is a binding in `wrangler.toml`. */
export const REQUEST_QUOTAS = [100, 1_000, TENANT_REQUESTS_PER_WINDOW] as const;

const CountSchema = z.number().int().min(0).max(MAX_QUOTA);

const QUOTAS = {
  running_replies: CountSchema,
  tokens_per_day: CountSchema,
  sessions: CountSchema,
  agents: CountSchema,
  agent_versions: CountSchema,
  skills: CountSchema,
  credentials: CountSchema,
  /** At least 1: a tenant is created with a key. */
  api_keys: CountSchema.min(1),
  webhook_endpoints: CountSchema,
  inbound_endpoints: CountSchema,
  mcp_servers: CountSchema,
  members: CountSchema,
  memory_stores: CountSchema,
  triggers: CountSchema,
  rooms: CountSchema,
  /** Tasks that clients of A2A have begun in a month. */
  a2a_tasks: CountSchema,
  /** Memories that one store can have: no more than a search is measured with. */
  memories_per_store: z.number().int().min(0).max(MAX_MEMORIES_PER_STORE),
  stored_bytes: CountSchema,
  database_bytes: CountSchema,
  /** Requests per ten seconds at each Cloudflare location: one of the three limiters. */
  requests: z.literal([...REQUEST_QUOTAS]),
};

export const QuotasSchema = z
  .object({
    ...QUOTAS,
    /** The share of one end user in what the tenant has. */
    end_user_share: EndUserShareSchema,
  })
  .meta({ id: "Quotas" });
export type Quotas = z.infer<typeof QuotasSchema>;
/** Of a quota that is one value. */
export type QuotaName = Exclude<keyof Quotas, "end_user_share">;

/** Members that are left out stay unchanged; null restores the default. */
export const QuotasChangeSchema = z.strictObject({
  ...(Object.fromEntries(
    Object.entries(QUOTAS).map(([name, schema]) => [name, schema.nullish()]),
  ) as { [Name in QuotaName]: z.ZodOptional<z.ZodNullable<(typeof QUOTAS)[Name]>> }),
  /** Null restores the default of the whole; a member that is null has no limit. */
  end_user_share: EndUserShareChangeSchema.nullish(),
});
export type QuotasChange = z.infer<typeof QuotasChangeSchema>;

export const DEFAULT_QUOTAS: Quotas = {
  running_replies: DEFAULT_RUNNING_REPLIES,
  tokens_per_day: DEFAULT_TOKENS_PER_DAY,
  sessions: DEFAULT_SESSIONS,
  agents: DEFAULT_AGENTS,
  agent_versions: DEFAULT_AGENT_VERSIONS,
  skills: DEFAULT_SKILLS,
  credentials: DEFAULT_CREDENTIALS,
  api_keys: DEFAULT_API_KEYS,
  webhook_endpoints: DEFAULT_WEBHOOK_ENDPOINTS,
  inbound_endpoints: DEFAULT_INBOUND_ENDPOINTS,
  mcp_servers: DEFAULT_MCP_SERVERS,
  members: DEFAULT_MEMBERS,
  memory_stores: DEFAULT_MEMORY_STORES,
  triggers: DEFAULT_TRIGGERS,
  rooms: DEFAULT_ROOMS,
  a2a_tasks: DEFAULT_A2A_TASKS,
  memories_per_store: DEFAULT_MEMORIES_PER_STORE,
  stored_bytes: DEFAULT_STORED_BYTES,
  database_bytes: DEFAULT_DATABASE_BYTES,
  requests: TENANT_REQUESTS_PER_WINDOW,
  end_user_share: DEFAULT_END_USER_SHARE,
};

/** Quotas as they are stored: what is missing has its default. */
export type StoredQuotas = Partial<Omit<Quotas, "end_user_share">> & {
  readonly end_user_share?: EndUserShareChange;
};

/** The values that a change sets, null replaced by the default; of a share the members that it names. */
export function quotaValues({ end_user_share, ...change }: QuotasChange): StoredQuotas {
  const set = Object.entries(change).filter(([, value]) => value !== undefined);
  const values = Object.fromEntries(
    set.map(([name, value]) => [name, value ?? DEFAULT_QUOTAS[name as QuotaName]]),
  ) as Partial<Pick<Quotas, QuotaName>>;
  return {
    ...values,
    ...(end_user_share !== undefined && {
      end_user_share: end_user_share ?? DEFAULT_END_USER_SHARE,
    }),
  };
}

/** The quotas with the values that are stored, or set, over them. */
export function withQuotas(
  quotas: Quotas,
  { end_user_share = {}, ...values }: StoredQuotas,
): Quotas {
  return {
    ...quotas,
    ...values,
    end_user_share: changeShare(quotas.end_user_share, end_user_share),
  };
}

const count = z.number().int().nonnegative();

/** The quotas of a tenant and their usage. */
export const TenantLimitsSchema = z
  .object({
    tenant_id: z.string(),
    quotas: QuotasSchema,
    /** Usage of each quota but that of one store, and requests, which the rate limiter counts and does not tell. */
    used: z.object({
      running_replies: count,
      tokens_per_day: count,
      ...(Object.fromEntries(COUNTED_QUOTAS.map((name) => [name, count])) as Record<
        CountedQuota,
        typeof count
      >),
    }),
    /** When the day of `tokens_per_day` ends. */
    day_ends_at: TimestampSchema,
    /** Of the end user that the query names. */
    end_user: EndUserLimitsSchema.optional(),
  })
  .meta({ id: "TenantLimits" });
export type TenantLimits = z.infer<typeof TenantLimitsSchema>;

/** The operator names the tenant; a tenant's key may name only its own. */
export const LimitsQuerySchema = z.strictObject({
  tenant_id: z.string().optional(),
  /** The end user whose share is shown, too. */
  end_user_id: z.string().min(1).max(200).optional(),
});
