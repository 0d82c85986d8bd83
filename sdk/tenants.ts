import type {
  CreatedTenant,
  Tenant,
  TenantCreateSchema,
  TenantUpdate,
} from "../protocol/api/tenants.ts";
import type { RequestOptions } from "./api-request.ts";
import type { InputOf } from "./input-of.ts";
import type { ListQuery, Paged } from "./paged.ts";
import type { Transport } from "./transport.ts";

/** Tenants. The operator's key alone may use them. */
export class Tenants {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The answer holds the tenant's first key, which is shown this once. */
  create(
    tenant: InputOf<typeof TenantCreateSchema>,
    options?: RequestOptions,
  ): Promise<CreatedTenant> {
    return this.#transport.create(["tenants"], tenant, options);
  }

  list(query?: ListQuery, options?: RequestOptions): Paged<Tenant> {
    return this.#transport.list(["tenants"], { ...query }, options);
  }

  get(id: string, options?: RequestOptions): Promise<Tenant> {
    return this.#transport.get(["tenants", id], options);
  }

  /** What is left out stays as it is. */
  update(id: string, changes: TenantUpdate, options?: RequestOptions): Promise<Tenant> {
    return this.#transport.update(["tenants", id], changes, options);
  }

  /** Erases the tenant with all that it has. Many sessions take more than one call: true when all is gone. */
  async delete(id: string, options?: RequestOptions): Promise<boolean> {
    const left = await this.#transport.delete<object | null>(["tenants", id], options);
    return left === null;
  }
}
