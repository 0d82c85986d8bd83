import { Reprise } from "../../sdk/index.ts";
import type { Access } from "./access.ts";

/** The SDK with the console's access tokens: renewed shortly before they expire, and when one is refused. */
export function openReprise(access: Access): Reprise {
  return new Reprise({
    baseUrl: window.location.origin,
    token: () => access.renew(),
    fetch: async (url, init) => {
      const headers = new Headers(init.headers);
      headers.set("Authorization", `Bearer ${await access.token()}`);
      // Cookies are not for the API.
      return fetch(url, { ...init, headers, credentials: "omit" });
    },
  });
}
