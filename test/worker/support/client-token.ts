// Client tokens as a tenant's back end mints them, and as an app sends them.
import type { ClientToken } from "../../../protocol/client-tokens/contract.ts";
import type { StreamTicket } from "../../../protocol/events/stream-tickets.ts";
import type { Call } from "./api.ts";
import { ask } from "./api.ts";

/** @param path Of the session. */
export async function mintToken(path: string, call: Call, wish: object = {}): Promise<ClientToken> {
  const { status, json, text } = await ask<ClientToken>("POST", `${path}/tokens`, {
    ...call,
    json: wish,
  });
  if (status !== 201) throw new Error(`no token was minted: ${text}`);
  return json;
}

/** A new token as the credential of a call. */
export async function mintCall(path: string, call: Call, wish: object = {}) {
  const { token } = await mintToken(path, call, wish);
  return { key: token };
}

/**
 * A ticket for a stream, as an `EventSource` needs it.
 * @param path Of the session.
 * @param stream Path and query of the stream.
 */
export async function mintTicket(path: string, call: Call, stream: string): Promise<StreamTicket> {
  const { status, json, text } = await ask<StreamTicket>("POST", `${path}/stream-tickets`, {
    ...call,
    json: { path: stream },
  });
  if (status !== 201) throw new Error(`no ticket was minted: ${text}`);
  return json;
}
