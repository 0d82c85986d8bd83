// The cookie of a console session. Below the console's path alone, so that no request to the API carries it.
import { deleteCookie, getCookie, setCookie } from "hono/cookie";

import { CONSOLE_SESSION_MS } from "../../protocol/keys/limits.ts";
import type { AppContext } from "../app-env.ts";

/** Address of a console: each has a cookie of its own, so that one browser can be signed in to both. */
export type ConsolePath = "/console" | "/operator";

const NAME = "reprise_console";

export function readConsoleCookie(context: AppContext): string | undefined {
  return getCookie(context, nameOf(context));
}

export function setConsoleCookie(context: AppContext, path: ConsolePath, secret: string): void {
  setCookie(context, nameOf(context), secret, {
    ...attributesOf(context, path),
    maxAge: CONSOLE_SESSION_MS / 1_000,
  });
}

export function clearConsoleCookie(context: AppContext, path: ConsolePath): void {
  deleteCookie(context, nameOf(context), attributesOf(context, path));
}

function attributesOf(context: AppContext, path: ConsolePath) {
  return { path, httpOnly: true, sameSite: "Strict", secure: isSecure(context) } as const;
}

function nameOf(context: AppContext): string {
  return `${cookiePrefix(context)}${NAME}`;
}

/** Browsers accept a cookie with this prefix by https alone. */
export function cookiePrefix(context: AppContext): "__Secure-" | "" {
  return isSecure(context) ? "__Secure-" : "";
}

/** Always in a deployment, also behind a proxy that ends TLS; not on local http, where browsers would drop it. */
export function isSecure({ env, req }: AppContext): boolean {
  return env.ENVIRONMENT !== "local" || new URL(req.url).protocol === "https:";
}
