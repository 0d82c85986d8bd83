import { DecisionListQuerySchema } from "../../protocol/permission/contract.ts";
import type { RouteHandler } from "../app-env.ts";
import { readQuery } from "../requests/read-query.ts";
import { actOnSession } from "../sessions/act-on-session.ts";

const listDecisions: RouteHandler = async (context) =>
  context.json(
    await actOnSession(context, "listDecisions", readQuery(context, DecisionListQuerySchema)),
  );

export const decisionRoutes = { listDecisions };
