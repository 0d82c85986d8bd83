import { PlanWriteSchema, type SessionPlan } from "../../protocol/plans/contract.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { mayConfirm } from "../principal.ts";
import { readBody } from "../requests/read-body.ts";
import { wantedVersions } from "../requests/wanted-versions.ts";
import { actOnSession } from "../sessions/act-on-session.ts";
import { requireConversation } from "../sessions/shown-reply.ts";

const readPlan: RouteHandler = async (context) =>
  show(context, await actOnSession(context, "readPlan"));

/** Requires the right to read, as the answer has the plan. */
const writePlan: RouteHandler = async (context) => {
  const principal = context.get("principal");
  requireConversation(principal, "what a written plan shows needs");
  const if_version = wantedVersions(context.req.header("If-Match"));
  const { plan } = await readBody(context, PlanWriteSchema);
  const may_accept = mayConfirm(principal);
  return show(context, await actOnSession(context, "writePlan", { plan, if_version, may_accept }));
};

function show(context: AppContext, shown: SessionPlan): Response {
  return context.json(shown, 200, { ETag: `"${shown.version}"` });
}

export const planRoutes = { readPlan, writePlan };
