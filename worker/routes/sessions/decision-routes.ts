import { DecisionListQuerySchema } from "../../../protocol/api/permission-rules.ts";
import type { RouteHandler } from "../../app-env.ts";
import { unwrap } from "../../http-error.ts";
import { readQuery } from "../../request/read-query.ts";
import { stubOf } from "./sessions.ts";

const listDecisions: RouteHandler = async (context) =>
  context.json(
    unwrap(await stubOf(context).listDecisions(readQuery(context, DecisionListQuerySchema))),
  );

export const decisionRoutes = { listDecisions };
