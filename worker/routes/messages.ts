import { PageQuerySchema } from "../../protocol/api/common.ts";
import type { RouteHandler } from "../app-env.ts";
import { unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { readQuery } from "../read-query.ts";
import { stubOf } from "./sessions.ts";

const listMessages: RouteHandler = async (context) =>
  context.json(unwrap(await stubOf(context).listMessages(readQuery(context, PageQuerySchema))));

const readMessage: RouteHandler = async (context) =>
  context.json(unwrap(await stubOf(context).readMessage(pathId(context, "message_id"))));

export const messageRoutes = { listMessages, readMessage };
