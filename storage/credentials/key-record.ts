import type { Scope } from "../../protocol/api/api-keys.ts";
import type { Quotas } from "../../protocol/api/quotas.ts";
import type { TenantStatus } from "../../protocol/api/tenants.ts";

/** What a request's key says about its sender. */
export interface KeyRecord {
  readonly id: string;
  readonly tenant_id: string;
  readonly scopes: readonly Scope[];
  /** The end of the key or of the secret that was given, whichever comes first. */
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly tenant_status: TenantStatus;
  /** The tenant's quota of requests in ten seconds. */
  readonly requests: Quotas["requests"];
}
