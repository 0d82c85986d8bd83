import type { TokenIssuer, TokenIssuerCreate } from "../../protocol/token-issuers/contract.ts";
import { collection, type Collection } from "./collection.ts";
import type { Transport } from "../transport/transport.ts";

/** Identity providers whose JWTs end users may send to an agent's MCP endpoint. */
export type TokenIssuers = Omit<Collection<TokenIssuer, TokenIssuerCreate>, "update">;

export function tokenIssuersOf(transport: Transport): TokenIssuers {
  return collection(transport, "token-issuers");
}
