import type {
  ApiKey,
  ApiKeyCreateSchema,
  ApiKeyRevokeSchema,
  ApiKeyRotateSchema,
  CreatedApiKey,
  RevokedApiKeys,
} from "../../protocol/keys/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import { collection } from "./collection.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";
import { createSecretAt, deleteAt, postTo } from "../transport/write-requests.ts";

/** The tenant: required with the operator's key, optional with a tenant's. */
export interface ApiKeyTenant {
  readonly tenant_id?: string;
}

export interface ApiKeys {
  /** The answer is the only one that contains the key itself. */
  create(
    key?: InputOf<typeof ApiKeyCreateSchema>,
    options?: RequestOptions,
  ): Promise<CreatedApiKey>;
  list(query?: ListQuery & ApiKeyTenant, options?: RequestOptions): Paged<ApiKey>;
  /** A new secret for the same id, returned only here; the old one stays valid for `overlap_ms`. */
  rotate(
    id: string,
    rotation?: InputOf<typeof ApiKeyRotateSchema>,
    options?: RequestOptions,
  ): Promise<CreatedApiKey>;
  /** Revokes this key only. Streams opened with it end. */
  revoke(id: string, query?: ApiKeyTenant, options?: RequestOptions): Promise<void>;
  /**
   * Also revokes all keys created with it, directly or indirectly, and the client tokens of all of them: for a leaked
   * key.
   */
  revokeCascading(
    id: string,
    revocation?: InputOf<typeof ApiKeyRevokeSchema>,
    options?: RequestOptions,
  ): Promise<RevokedApiKeys>;
}

export function apiKeysOf(transport: Transport): ApiKeys {
  const keys = collection<ApiKey>(transport, "api-keys");
  return {
    create: (key, options) => createSecretAt(transport, ["api-keys"], key, options),
    list: (query, options) => keys.list(query, options),
    rotate: (id, rotation = {}, options) =>
      createSecretAt(transport, ["api-keys", id, "rotate"], rotation, options),
    revoke: async (id, query, options) => {
      await deleteAt(transport, ["api-keys", id], options, query);
    },
    revokeCascading: (id, revocation, options) =>
      postTo(transport, ["api-keys", id, "revoke"], { cascade: true, ...revocation }, options),
  };
}
