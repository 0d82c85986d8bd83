import type { Scope } from "../../protocol/keys/contract.ts";
import type { Quotas } from "../../protocol/quotas/contract.ts";
import type { TenantStatus } from "../../protocol/tenants/contract.ts";

/** The data of an API key or of a member, and of the tenant, that authenticating a request needs. */
export interface KeyRecord {
  readonly id: string;
  readonly tenant_id: string;
  readonly scopes: readonly Scope[];
  /** Expiry of the key or of the presented secret, whichever is earlier; null for neither. */
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly tenant_status: TenantStatus;
  /** The tenant's quota of requests per ten seconds. */
  readonly requests: Quotas["requests"];
  /** Of an access token of the console: its session. */
  readonly console?: {
    readonly session_id: string;
    /** When the session ends at the latest, UTC ISO 8601. */
    readonly expires_at: string;
    /** The name of the member whose session it is, and whose id and scopes the record has; missing for a link's. */
    readonly member_name?: string;
  };
}
