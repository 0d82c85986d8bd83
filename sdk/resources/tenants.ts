import type {
  CreatedTenant,
  Tenant,
  TenantCreateSchema,
  TenantUpdate,
} from "../../protocol/api/tenants.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import { collection, type Collection } from "./collection.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { Transport } from "../transport/transport.ts";
import { createSecretAt, deleteAt } from "../transport/write-requests.ts";

/** Tenants. The operator's key alone may use them. The answer to `create` holds the tenant's first key, shown once. */
export interface Tenants extends Omit<
  Collection<Tenant, InputOf<typeof TenantCreateSchema>, CreatedTenant, TenantUpdate>,
  "delete"
> {
  /** Erases the tenant with all that it has. Many sessions take more than one call: true when all is gone. */
  delete(id: string, options?: RequestOptions): Promise<boolean>;
}

export function tenantsOf(transport: Transport): Tenants {
  return {
    ...collection(transport, "tenants"),
    create: (tenant, options) => createSecretAt(transport, ["tenants"], tenant, options),
    delete: async (id, options) => (await deleteAt(transport, ["tenants", id], options)) === null,
  };
}
