// Agents as MCP servers: calls, a stream that continues after a cut, and the metadata by which clients sign in.
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { findIssuers, isKnownAgent } from "../token-issuers/known-issuers.ts";
import { mcpAddress } from "../token-issuers/mcp-address.ts";
import { HttpError, notFound } from "../http-error.ts";
import { checkOrigin } from "../token-issuers/check-origin.ts";
import { parseEventId } from "./event-ids.ts";
import { findConversation } from "./find-conversation.ts";
import { keepReply } from "./left-calls.ts";
import type { ServedAgent } from "./served-call.ts";
import { readMcpBody, serveMcp } from "./serve-mcp.ts";
import { streamCalls } from "./stream-calls.ts";
import { HANDSHAKE_VERSIONS } from "../../protocol/agent-mcp/versions.ts";
import { pathId } from "../middleware/check-path.ts";
import { tenantOf } from "../principal.ts";
import { limitUnauthenticated } from "../requests/rate-limit.ts";

/** A mistake in the request is a problem, as everywhere; a mistake in a message is JSON-RPC's error. */
const callAgentMcp: RouteHandler = async (context) => {
  checkOrigin(context, context.get("principal"));
  const body = await readMcpBody(context);
  return serveMcp(context, () => findAgent(context), body);
};

/**
 * Continues with a call's stream after the frame of `Last-Event-ID`. There is no other stream: the server sends nothing
 * that no client has asked for.
 */
const resumeAgentMcp: RouteHandler = async (context) => {
  checkOrigin(context, context.get("principal"));
  const agent = await findAgent(context);
  const header = context.req.header("Last-Event-ID");
  if (header === undefined || context.req.method === "HEAD") {
    const detail = "there is no stream but those of calls; with Last-Event-ID one of them goes on";
    throw new HttpError("method_not_allowed", detail, { headers: { Allow: "POST" } });
  }
  const place = parseEventId(header);
  if (!place) throw new HttpError("invalid_cursor", "Last-Event-ID is no id of a frame of MCP");
  const session = await findConversation(context, agent.id, place.session_id);
  if (!session.ok) throw notFound("session");
  const { id, progressToken, session_id, reply_id, seq } = place;
  const version =
    HANDSHAKE_VERSIONS.find((one) => one === context.req.header("MCP-Protocol-Version")) ??
    HANDSHAKE_VERSIONS[0];
  const call = {
    context,
    agent,
    era: { era: "handshake", version },
    id,
    followerId: crypto.randomUUID(),
    progressToken,
    idempotencyKey: undefined,
  } as const;
  const owns = await keepReply(call, { session_id, id: reply_id }, false);
  const reply = { session_id, reply_id, after: seq, asked: [], owns };
  return streamCalls([{ call, reply }], [], true);
};

async function findAgent(context: AppContext): Promise<ServedAgent> {
  const agentId = pathId(context, "agent_id");
  const { agents } = tenantStorage(context.env.DB, tenantOf(context));
  const agent = await agents.read(agentId);
  if (!agent) throw notFound("agent");
  return { id: agentId, name: agent.name };
}

/** RFC 9728. Only for agents whose tenant has registered an issuer for them. */
const readResourceMetadata: RouteHandler = async (context) => {
  const agentId = pathId(context, "agent_id");
  if (!isKnownAgent(agentId)) await limitUnauthenticated(context);
  const found = await findIssuers(context.env.DB, agentId);
  if (!found) throw notFound("agent");
  return context.json({
    resource: mcpAddress(context, agentId).resource,
    authorization_servers: [...new Set(found.issuers.map(({ issuer }) => issuer))],
    bearer_methods_supported: ["header"],
  });
};

export const agentMcpRoutes = { callAgentMcp, resumeAgentMcp, readResourceMetadata };
