import type { TenantActivities } from "../../protocol/operator/tenant-activity.ts";
import type { TenantLimits } from "../../protocol/quotas/contract.ts";
import type {
  CreatedTenant,
  Tenant,
  TenantCreateSchema,
  TenantUpdate,
} from "../../protocol/tenants/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import { collection, type Collection } from "./collection.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { ListQuery } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";
import { createSecretAt, deleteAt } from "../transport/write-requests.ts";

/** Tenants; requires the operator's key. Only the answer to `create` contains the tenant's first key. */
export interface Tenants extends Omit<
  Collection<Tenant, InputOf<typeof TenantCreateSchema>, CreatedTenant, TenantUpdate, TenantFilter>,
  "delete"
> {
  /**
   * Erases the tenant with all its data. Many sessions take several calls: resolves to true when everything is erased.
   */
  delete(id: string, options?: RequestOptions): Promise<boolean>;
  /** The quotas of a tenant and their usage. */
  limits(id: string, options?: LimitsOptions): Promise<TenantLimits>;
  /** Activity of up to 50 tenants, now and today; over time: `usageSeries` with a `tenant_id`. */
  activity(ids: readonly string[], options?: RequestOptions): Promise<TenantActivities>;
}

interface TenantFilter extends ListQuery {
  /** A part of a name, or the beginning of an id. */
  readonly search?: string;
}

export interface LimitsOptions extends RequestOptions {
  /** The end user whose share is shown, too. */
  readonly end_user_id?: string;
}

export function tenantsOf(transport: Transport): Tenants {
  return {
    ...collection(transport, "tenants"),
    create: (tenant, options) => createSecretAt(transport, ["tenants"], tenant, options),
    delete: async (id, options) => (await deleteAt(transport, ["tenants", id], options)) === null,
    limits: (tenant_id, { end_user_id, ...options } = {}) =>
      transport.get(["limits"], options, { tenant_id, end_user_id }),
    activity: (ids, options) =>
      transport.get(["operator", "activity"], options, { tenant_ids: ids.join(",") }),
  };
}
