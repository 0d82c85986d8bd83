import type { ApiKey, ApiKeyCreateSchema, CreatedApiKey } from "../protocol/api/api-keys.ts";
import { apiPath, type RequestOptions } from "./api-request.ts";
import type { InputOf } from "./input-of.ts";
import { listPages, type ListQuery } from "./list-pages.ts";
import type { Paged } from "./paged.ts";
import type { Transport } from "./transport.ts";

/** Whose keys: the operator names the tenant, a tenant's own key need not. */
export interface ApiKeyTenant {
  readonly tenant_id?: string;
}

export class ApiKeys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The answer holds the key itself, which is shown this once. */
  create(
    key: InputOf<typeof ApiKeyCreateSchema> = {},
    options?: RequestOptions,
  ): Promise<CreatedApiKey> {
    return this.#transport.call(
      { method: "POST", path: apiPath("api-keys"), body: key, ...options },
      { repeat: "when_refused" },
    );
  }

  list(query?: ListQuery & ApiKeyTenant, options?: RequestOptions): Paged<ApiKey> {
    return listPages(this.#transport, apiPath("api-keys"), query, options);
  }

  async revoke(id: string, query: ApiKeyTenant = {}, options?: RequestOptions): Promise<void> {
    await this.#transport.call(
      {
        method: "DELETE",
        path: apiPath("api-keys", id),
        query: { tenant_id: query.tenant_id },
        ...options,
      },
      { repeat: "always" },
    );
  }
}
