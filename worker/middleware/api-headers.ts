import type { MiddlewareHandler } from "hono";

import type { AppContext, AppEnv } from "../app-env.ts";

const HEADERS = {
  // Responses contain a tenant's data and change, so no cache may store them.
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  // A response opened as a page must not run scripts or be framed.
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
};

function isCard(context: AppContext): boolean {
  return context.get("route")?.may_be_public === true;
}

export const apiHeaders: MiddlewareHandler<AppEnv> = async (context, next) => {
  await next();
  const { headers } = context.res;
  for (const [name, value] of Object.entries(HEADERS)) {
    // The content of a file has a stricter policy of its own, and a card says for how long it may be kept.
    const isOwn =
      name === "Content-Security-Policy" || (name === "Cache-Control" && isCard(context));
    if (!isOwn || !headers.has(name)) headers.set(name, value);
  }
};
