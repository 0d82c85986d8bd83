import type {
  ApiKey,
  ApiKeyCreateSchema,
  ApiKeyRotateSchema,
  CreatedApiKey,
} from "../protocol/api/api-keys.ts";
import type { RequestOptions } from "./api-request.ts";
import type { InputOf } from "./input-of.ts";
import type { ListQuery, Paged } from "./paged.ts";
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
    return this.#transport.create(["api-keys"], key, options);
  }

  list(query?: ListQuery & ApiKeyTenant, options?: RequestOptions): Paged<ApiKey> {
    return this.#transport.list(["api-keys"], { ...query }, options);
  }

  /** A new secret under the same id, shown this once; the old one goes on working for `overlap_ms`. */
  rotate(
    id: string,
    rotation: InputOf<typeof ApiKeyRotateSchema> = {},
    options?: RequestOptions,
  ): Promise<CreatedApiKey> {
    return this.#transport.create(["api-keys", id, "rotate"], rotation, options);
  }

  async revoke(id: string, query: ApiKeyTenant = {}, options?: RequestOptions): Promise<void> {
    await this.#transport.delete(["api-keys", id], options, { ...query });
  }
}
