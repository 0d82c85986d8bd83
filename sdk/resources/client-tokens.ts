import type {
  ClientToken,
  ClientTokenCreateSchema,
  LiveToken,
} from "../../protocol/api/client-tokens.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";
import { createSecretAt, deleteAt } from "../transport/write-requests.ts";

/** Tokens with which an app may use one session. */
export interface ClientTokens {
  /** The answer holds the token itself, which is shown this once. */
  create(
    token?: InputOf<typeof ClientTokenCreateSchema>,
    options?: RequestOptions,
  ): Promise<ClientToken>;
  /** Those that open the session now, newest first, without their plain texts. */
  list(query?: ListQuery, options?: RequestOptions): Paged<LiveToken>;
  /** Closes the streams that were opened with it. */
  revoke(tokenId: string, options?: RequestOptions): Promise<void>;
}

export function clientTokensOf(transport: Transport, sessionId: string): ClientTokens {
  const path = ["sessions", sessionId, "tokens"];
  return {
    create: (token, options) => createSecretAt(transport, path, token, options),
    list: (query, options) => transport.list(path, query, options),
    revoke: async (tokenId, options) => {
      await deleteAt(transport, [...path, tokenId], options);
    },
  };
}
