// Tickets of sessions and of rooms: the steps that both have.
import type { StreamTicket } from "../../protocol/events/stream-tickets.ts";
import { DEFAULT_TOKEN_TTL_SECONDS } from "../../protocol/keys/limits.ts";
import {
  type ClientTokenClaims,
  type RoomTokenClaims,
  signToken,
} from "../../storage/secrets/signed-token.ts";
import type { AppContext } from "../app-env.ts";
import { keyEndMs, type Principal } from "../principal.ts";
import { hashStreamAddress } from "../requests/hash-stream-address.ts";

const MILLISECONDS_PER_SECOND = 1_000;
/** A base for parsing; only path and query are used. */
const ANY_ORIGIN = "https://reprise.invalid";

/** The path and query of a stream as an address; null for a text that is none. */
export function parseStreamPath(path: string): URL | null {
  return URL.canParse(path, ANY_ORIGIN) ? new URL(path, ANY_ORIGIN) : null;
}

interface TicketTimes {
  /** In Unix milliseconds, as claims have it. */
  readonly exp: number;
  readonly created_at: string;
  readonly expires_at: string;
}

/** The lifetime of the client token that a ticket of an API key gets: no longer than the key's. */
export function ticketTimes(principal: Principal): TicketTimes {
  const nowMs = Date.now();
  const endMs = nowMs + DEFAULT_TOKEN_TTL_SECONDS * MILLISECONDS_PER_SECOND;
  const exp = Math.min(endMs, keyEndMs(principal));
  return {
    exp,
    created_at: new Date(nowMs).toISOString(),
    expires_at: new Date(exp).toISOString(),
  };
}

/** @param claims Of the client token with which the ticket ends. */
export async function mintTicket(
  { env }: AppContext,
  claims: ClientTokenClaims | RoomTokenClaims,
  url: URL,
): Promise<StreamTicket> {
  const stream = await hashStreamAddress(url);
  const ticket = await signToken("stream_ticket", { ...claims, stream }, env.KEY_PEPPER);
  const address = new URL(url);
  address.searchParams.set("token", ticket);
  return {
    ticket,
    path: `${address.pathname}${address.search}`,
    token_id: claims.token_id,
    expires_at: new Date(claims.exp).toISOString(),
  };
}
