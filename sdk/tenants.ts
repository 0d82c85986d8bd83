import type {
  CreatedTenant,
  Tenant,
  TenantCreateSchema,
  TenantUpdate,
} from "../protocol/api/tenants.ts";
import { apiPath, type RequestOptions } from "./api-request.ts";
import type { InputOf } from "./input-of.ts";
import type { Paged } from "./paged.ts";
import { listPages, type ListQuery } from "./list-pages.ts";
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
    return this.#transport.call(
      { method: "POST", path: apiPath("tenants"), body: tenant, ...options },
      { repeat: "when_refused" },
    );
  }

  list(query?: ListQuery, options?: RequestOptions): Paged<Tenant> {
    return listPages(this.#transport, apiPath("tenants"), query, options);
  }

  get(id: string, options?: RequestOptions): Promise<Tenant> {
    return this.#transport.call(
      { method: "GET", path: apiPath("tenants", id), ...options },
      { repeat: "always" },
    );
  }

  /** What is left out stays as it is. */
  update(id: string, changes: TenantUpdate, options?: RequestOptions): Promise<Tenant> {
    return this.#transport.call(
      { method: "PATCH", path: apiPath("tenants", id), body: changes, ...options },
      { repeat: "always" },
    );
  }

  /** Erases the tenant with all that it has. Many sessions take more than one call: true when all is gone. */
  async delete(id: string, options?: RequestOptions): Promise<boolean> {
    const left = await this.#transport.call<object | null>(
      { method: "DELETE", path: apiPath("tenants", id), ...options },
      { repeat: "always" },
    );
    return left === null;
  }
}
