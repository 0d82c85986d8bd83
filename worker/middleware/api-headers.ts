import type { MiddlewareHandler } from "hono";

import type { AppEnv } from "../app-env.ts";

const HEADERS = {
  // Answers hold one tenant's data and change: no cache may keep them.
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  // An answer that is opened as a page runs nothing and is framed by nobody.
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
};

export const apiHeaders: MiddlewareHandler<AppEnv> = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(HEADERS)) context.res.headers.set(name, value);
};
