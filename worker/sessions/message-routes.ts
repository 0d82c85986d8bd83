import { messageRequest, messagesRequest } from "../../durable-objects/api/read-request.ts";
import { FormPageQuerySchema, FormQuerySchema } from "../../protocol/schemas/event-format.ts";
import type { RouteHandler } from "../app-env.ts";
import { unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { readQuery } from "../requests/read-query.ts";
import { readSession } from "./read-session.ts";
import { pathSessionStub } from "../objects/path-session-stub.ts";

const listMessages: RouteHandler = async (context) => {
  const request = messagesRequest(readQuery(context, FormPageQuerySchema));
  return unwrap(await readSession(context, pathSessionStub(context), request));
};

const readMessage: RouteHandler = async (context) => {
  const { format } = readQuery(context, FormQuerySchema);
  const request = messageRequest(pathId(context, "message_id"), format);
  return unwrap(await readSession(context, pathSessionStub(context), request));
};

export const messageRoutes = { listMessages, readMessage };
