import { Reprise, type FetchFunction } from "../../sdk/index.ts";
import type { Access } from "./access.ts";

/**
 * The SDK with the console's access tokens: renewed shortly before they expire, and when one is refused.
 *
 * @param send What carries the requests; the browser's own `fetch` when left out.
 */
export function openReprise(
  access: Access,
  send: FetchFunction = (url, init) => fetch(url, init),
): Reprise {
  return new Reprise({
    baseUrl: window.location.origin,
    token: () => access.renew(),
    fetch: async (url, init) => {
      const headers = new Headers(init.headers);
      headers.set("Authorization", `Bearer ${await access.token()}`);
      // Cookies are not for the API.
      return send(url, { ...init, headers, credentials: "omit" });
    },
  });
}
