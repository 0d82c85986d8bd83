import {
  ToolGroupsWriteSchema,
  type SessionToolGroups,
} from "../../protocol/tool-groups/contract.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { audited } from "../audit/audit.ts";
import { unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { mayConfirm, scopesOf } from "../principal.ts";
import { readBody } from "../requests/read-body.ts";
import { wantedVersions } from "../requests/wanted-versions.ts";
import { actOnSession, tryActOnSession } from "../sessions/act-on-session.ts";
import { requireConversation } from "../sessions/shown-reply.ts";

const readToolGroups: RouteHandler = async (context) =>
  show(context, await actOnSession(context, "readToolGroups"));

/**
 * All switches. Requires the right to read, as the answer has them. What an API key switches has an entry
 * in the audit log; that of a client token is in the session's log alone.
 */
const writeToolGroups: RouteHandler = async (context) => {
  const principal = context.get("principal");
  requireConversation(principal, "what switched tool groups show needs");
  const if_version = wantedVersions(context.req.header("If-Match"));
  const { groups, tools } = await readBody(context, ToolGroupsWriteSchema);
  const may_switch_all = scopesOf(principal).includes("sessions:write");
  const may_confirm = mayConfirm(principal);
  const put = { groups, tools, if_version, may_switch_all, may_confirm };
  const write = () => tryActOnSession(context, "writeToolGroups", put);
  if (principal.kind === "client_token") return show(context, unwrap(await write()));
  const before = await actOnSession(context, "readToolGroups");
  const act = {
    action: "session.tool_groups_changed",
    target: pathId(context, "session_id"),
    before: switchesOf(before),
    after: switchesOf({ groups, tools }),
  } as const;
  const isChange = ({ version }: SessionToolGroups) => version !== before.version;
  return show(context, unwrap(await audited(context, act, write, isChange)));
};

type Switches = Readonly<
  Record<"groups" | "tools", readonly { readonly name: string; readonly switched: string | null }[]>
>;

function switchesOf({ groups, tools }: Switches) {
  const switched = (given: Switches["groups"]) =>
    Object.fromEntries(
      given.flatMap((one) => (one.switched === null ? [] : [[one.name, one.switched]])),
    );
  return { groups: switched(groups), tools: switched(tools) };
}

/** Definitions of tools have addresses that are the tenant's alone. */
function show(context: AppContext, { session_tools, ...shown }: SessionToolGroups): Response {
  const isEndUser = context.get("principal").kind === "client_token";
  const answer = isEndUser ? shown : { ...shown, session_tools };
  return context.json(answer, 200, { ETag: `"${shown.version}"` });
}

export const toolGroupRoutes = { readToolGroups, writeToolGroups };
