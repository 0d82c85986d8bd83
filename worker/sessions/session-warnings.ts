// Warnings about what a request writes into one session, as far as the session, its agent and the kept catalogues tell.
import {
  addedRuleWarnings,
  ownToolWarnings,
  silencedRuleWarnings,
  type WarnedSession,
} from "../../agent/warnings/session-warnings.ts";
import { refuseSilent } from "../../agent/warnings/refuse-silent.ts";
import type { KeptServers } from "../../agent/warnings/known-tools.ts";
import type { ActValue } from "../../durable-objects/acts/acts-api.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import { MAX_FIELD_ERRORS } from "../../protocol/requests/limits.ts";
import { MCP_NAME_PREFIX } from "../../protocol/tools/contract.ts";
import type { Warning } from "../../protocol/warning.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext } from "../app-env.ts";
import { unwrap } from "../http-error.ts";
import { keptServers } from "../mcp/kept-servers.ts";
import { tenantOf } from "../principal.ts";
import { actOnSession } from "./act-on-session.ts";

/** A session that may have an end user, whose catalogues count. */
export interface OwnedSession extends WarnedSession {
  readonly end_user_id: string | null;
}

/** The warnings of an answer; left out when there are none. */
export interface Warned {
  readonly warnings?: readonly Warning[];
}

const NO_SERVERS: KeptServers = new Map();

/** The session in the path, with the version of its agent that its rules decide about. */
export async function readJudged(context: AppContext): Promise<ActValue<"readJudged">> {
  const judged = await actOnSession(context, "readJudged");
  if (!judged.takes_latest) return judged;
  const { agents } = tenantStorage(context.env.DB, tenantOf(context));
  const agent = await agents.read(judged.agent_id);
  return agent ? { ...judged, agent } : judged;
}

/** Warnings about rules that are to be added. @param pointer The place of their list in the request. */
export async function warningsOfRules(
  context: AppContext,
  session: OwnedSession,
  { rules, pointer }: { readonly rules: readonly PermissionRule[]; readonly pointer: string },
): Promise<readonly Warning[]> {
  const servers = await serversOf(context, session, rules);
  return addedRuleWarnings(session, rules, { servers, pointer }).slice(0, MAX_FIELD_ERRORS);
}

/** Warnings about the rules and tools that a session is opened with. */
export async function warningsOfNew(
  context: AppContext,
  session: OwnedSession,
  rules: readonly PermissionRule[],
): Promise<readonly Warning[]> {
  const written = { rules, pointer: "#/permission/rules" };
  const ofRules = rules.length > 0 ? await warningsOfRules(context, session, written) : [];
  return [...ownToolWarnings(session.tools), ...ofRules].slice(0, MAX_FIELD_ERRORS);
}

/** Warnings about rules of the session that decide about no call any more after a change. @param pointer The change's place. */
export async function warningsOfChange(
  context: AppContext,
  before: OwnedSession,
  { after, pointer }: { readonly after: OwnedSession; readonly pointer: string },
): Promise<readonly Warning[]> {
  const servers = await serversOf(context, after, after.rules);
  return silencedRuleWarnings(before, after, { servers, pointer }).slice(0, MAX_FIELD_ERRORS);
}

/** @throws HttpError with the warnings as errors, where the request is strict. */
export function asWarned(warnings: readonly Warning[], isStrict: boolean): Warned {
  if (warnings.length === 0) return {};
  return isStrict ? unwrap(refuseSilent(warnings)) : { warnings };
}

/** Nothing is read for rules of which none names a tool of an MCP server. */
async function serversOf(
  context: AppContext,
  { agent, end_user_id }: OwnedSession,
  rules: readonly PermissionRule[],
): Promise<KeptServers> {
  const isNamed = rules.some(({ tool_name }) => tool_name.startsWith(MCP_NAME_PREFIX));
  return isNamed ? keptServers(context, agent.tools, end_user_id) : NO_SERVERS;
}
