import { PageQuerySchema } from "../../protocol/schemas/common.ts";
import type { RouteHandler } from "../app-env.ts";
import { unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { readQuery } from "../requests/read-query.ts";
import { readSession } from "./read-session.ts";
import { pathSessionStub } from "../objects/path-session-stub.ts";

const listMessages: RouteHandler = async (context) => {
  const request = { what: "messages", ...readQuery(context, PageQuerySchema) } as const;
  return unwrap(await readSession(context, pathSessionStub(context), request));
};

const readMessage: RouteHandler = async (context) => {
  const request = { what: "message", id: pathId(context, "message_id") } as const;
  return unwrap(await readSession(context, pathSessionStub(context), request));
};

export const messageRoutes = { listMessages, readMessage };
