import type {
  ClientToken,
  ClientTokenCreateSchema,
  LiveToken,
} from "../../protocol/client-tokens/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";
import { createSecretAt, deleteAt } from "../transport/write-requests.ts";

/** Client tokens, with which an app may use one session. */
export interface ClientTokens {
  /** The answer is the only one that contains the token itself. */
  create(
    token?: InputOf<typeof ClientTokenCreateSchema>,
    options?: RequestOptions,
  ): Promise<ClientToken>;
  /** The valid tokens of the session, newest first, without the tokens themselves. */
  list(query?: ListQuery, options?: RequestOptions): Paged<LiveToken>;
  /** Also closes the streams opened with it. */
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
