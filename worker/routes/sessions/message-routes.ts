import { PageQuerySchema } from "../../../protocol/api/schemas/common.ts";
import type { RouteHandler } from "../../app-env.ts";
import { unwrap } from "../../http-error.ts";
import { pathId } from "../../middleware/check-path.ts";
import { readQuery } from "../../request/read-query.ts";
import { readSession } from "../../sessions/read-session.ts";
import { stubOf } from "./sessions.ts";

const listMessages: RouteHandler = async (context) => {
  const request = { what: "messages", ...readQuery(context, PageQuerySchema) } as const;
  return unwrap(await readSession(context, stubOf(context), request));
};

const readMessage: RouteHandler = async (context) => {
  const request = { what: "message", id: pathId(context, "message_id") } as const;
  return unwrap(await readSession(context, stubOf(context), request));
};

export const messageRoutes = { listMessages, readMessage };
