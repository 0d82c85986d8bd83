import { JsonPatchSchema, type SharedState } from "../../protocol/shared-state/contract.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { readBody } from "../requests/read-body.ts";
import { wantedVersions } from "../requests/wanted-versions.ts";
import { actOnSession } from "../sessions/act-on-session.ts";
import { requireConversation } from "../sessions/shown-reply.ts";

const readSharedState: RouteHandler = async (context) =>
  show(context, await actOnSession(context, "readSharedState"));

/** Requires the right to read: the response contains the state, and `test` operations of a patch would reveal it. */
const patchSharedState: RouteHandler = async (context) => {
  requireConversation(context.get("principal"), "what a patch of the shared state shows needs");
  const if_version = wantedVersions(context.req.header("If-Match"));
  const patch = await readBody(context, JsonPatchSchema);
  return show(context, await actOnSession(context, "patchSharedState", { patch, if_version }));
};

function show(context: AppContext, shown: SharedState): Response {
  return context.json(shown, 200, { ETag: `"${shown.version}"` });
}

export const sharedStateRoutes = { readSharedState, patchSharedState };
