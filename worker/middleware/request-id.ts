import type { MiddlewareHandler } from "hono";

import type { AppEnv } from "../app-env.ts";
import { newId } from "../new-id.ts";

/** What a caller may bring as its own id: safe in a header, in a log and in JSON. */
const ACCEPTED = /^[A-Za-z0-9._:-]{1,128}$/;

/** Takes the caller's `X-Request-Id` or makes one, and puts it on every answer. */
export const requestId: MiddlewareHandler<AppEnv> = async (context, next) => {
  const given = context.req.header("X-Request-Id") ?? "";
  const id = ACCEPTED.test(given) ? given : newId("req");
  context.set("requestId", id);
  await next();
  context.res.headers.set("X-Request-Id", id);
};
