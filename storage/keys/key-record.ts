import type { Scope } from "../../protocol/keys/contract.ts";
import type { Quotas } from "../../protocol/quotas/contract.ts";
import type { TenantStatus } from "../../protocol/tenants/contract.ts";

/** The data of an API key, and of its tenant, that authenticating a request needs. */
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
  };
}
