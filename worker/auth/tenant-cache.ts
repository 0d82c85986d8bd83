// A short-lived cache of tenants' status per isolate, for client tokens and callback URLs; see
// docs/decisions/2026-11-22-the-stop-button.md.
import type { TenantAdmission } from "../../durable-objects/api/tenant-api.ts";
import { MAX_CACHED_TENANTS, TENANT_STATUS_CACHE_MS } from "../../protocol/quotas/limits.ts";
import { withLookupDeadline } from "./with-lookup-deadline.ts";

interface CachedAdmission {
  readonly admission: TenantAdmission;
  readonly readAtMs: number;
}

export class TenantCache {
  readonly #admissions = new Map<string, CachedAdmission>();
  readonly #capacity: number;
  readonly #now: () => number;

  constructor({ capacity = MAX_CACHED_TENANTS, now = () => Date.now() } = {}) {
    this.#capacity = capacity;
    this.#now = now;
  }

  /**
   * The tenant's status, at most {@link TENANT_STATUS_CACHE_MS} old. Contract: never rejects. While the object does not
   * answer, the last known status of any age; null when there is none.
   */
  async find(
    tenantId: string,
    ask: () => Promise<TenantAdmission>,
  ): Promise<TenantAdmission | null> {
    const cached = this.#admissions.get(tenantId);
    if (cached && this.#now() - cached.readAtMs < TENANT_STATUS_CACHE_MS) return cached.admission;
    try {
      const admission = await withLookupDeadline(ask());
      this.#put(tenantId, { admission, readAtMs: this.#now() });
      return admission;
    } catch (error) {
      console.warn("tenant status: the tenant object did not answer; using the last known status", {
        tenant_id: tenantId,
        error: String(error),
      });
      return cached?.admission ?? null;
    }
  }

  /** Invalidates the entry after a change: at once in this isolate, within {@link TENANT_STATUS_CACHE_MS} in others. */
  forget(tenantId: string): void {
    this.#admissions.delete(tenantId);
  }

  #put(tenantId: string, cached: CachedAdmission): void {
    this.#admissions.delete(tenantId);
    this.#admissions.set(tenantId, cached);
    const [oldest] = this.#admissions.keys();
    if (this.#admissions.size > this.#capacity && oldest !== undefined)
      this.#admissions.delete(oldest);
  }
}
