import { Reprise, type FetchFunction } from "../../sdk/index.ts";
import type { Access } from "./access.ts";

/** Carrier of a client's requests and sockets. */
export interface Network {
  readonly fetch: FetchFunction;
  readonly WebSocket?: typeof WebSocket;
}

const BROWSERS_OWN: Network = { fetch: (url, init) => fetch(url, init) };

/**
 * The SDK with the console's access tokens: renewed shortly before they expire, and when one is refused.
 *
 * @param network The browser's own when left out.
 */
export function openReprise(access: Access, network: Network = BROWSERS_OWN): Reprise {
  return new Reprise({
    baseUrl: window.location.origin,
    token: () => access.renew(),
    WebSocket: network.WebSocket,
    fetch: async (url, init) => {
      const headers = new Headers(init.headers);
      headers.set("Authorization", `Bearer ${await access.token()}`);
      // Cookies are not for the API.
      return network.fetch(url, { ...init, headers, credentials: "omit" });
    },
  });
}
