import type { MiddlewareHandler } from "hono";

import type { AppEnv } from "../app-env.ts";
import { newId } from "../new-id.ts";

/** Accepted request ids: safe in a header, in a log and in JSON. */
const ACCEPTED = /^[A-Za-z0-9._:-]{1,128}$/;

/** Uses the caller's `X-Request-Id` or generates one, and adds it to every response. */
export const requestId: MiddlewareHandler<AppEnv> = async (context, next) => {
  const given = context.req.header("X-Request-Id") ?? "";
  const id = ACCEPTED.test(given) ? given : newId("req");
  context.set("requestId", id);
  await next();
  context.res.headers.set("X-Request-Id", id);
};
