// Reads the page of an MCP server for an app: with the server and the credentials of the session's agent.
import { readUiResource, type UiResource } from "../../agent/mcp/read-ui-resource.ts";
import type { SessionServer } from "../../durable-objects/mcp/session-server.ts";
import type { McpResourceQuery } from "../../protocol/mcp/mcp-ui.ts";
import { MAX_MCP_UI_BYTES, MCP_UI_MS } from "../../protocol/mcp/limits.ts";
import { CallDeadline } from "../../tools/mcp/call-deadline.ts";
import type { AppContext } from "../app-env.ts";
import { auditAlone } from "../audit/audit.ts";
import { CallLease } from "../auth/call-lease.ts";
import { notFound } from "../http-error.ts";
import { mcpFailed } from "./mcp-failed.ts";
import { openMcpServer, type OpenedMcpServer } from "./open-mcp-server.ts";

/**
 * Under a lease, so that it obeys the tenant's quotas and its stop button.
 * @param query With an address of the scheme `ui`.
 * @param found The server as the session knows it, whose agent names it. @param answer What the client gets of the page.
 * @throws HttpError 404 for a server that was deleted, 502 when the server does not answer as it should.
 */
export async function readMcpResource(
  context: AppContext,
  { server_id: serverId, uri }: McpResourceQuery,
  { kept, end_user_id }: SessionServer,
  answer: (resource: UiResource) => Response,
): Promise<Response> {
  const lease = new CallLease(context);
  const opened = await openMcpServer(context, serverId, {
    lease,
    endUserId: end_user_id,
    session: kept,
    maxBytes: MAX_MCP_UI_BYTES,
  });
  if (!opened) throw notFound("MCP server");
  return lease.hold(async () => lease.answer(answer(await read(context, { lease, opened, uri }))));
}

async function read(
  context: AppContext,
  {
    lease,
    opened: { link, setup, server },
    uri,
  }: { readonly lease: CallLease; readonly opened: OpenedMcpServer; readonly uri: string },
): Promise<UiResource> {
  if (!link) throw mcpFailed(setup);
  await audit(context, server.id, uri);
  const times = { idleMs: Math.min(server.timeout_ms, MCP_UI_MS), totalMs: MCP_UI_MS };
  const deadline = new CallDeadline(times, lease.stop);
  try {
    const answer = await link.read(uri, deadline);
    if (!answer.ok) throw mcpFailed(answer.failure);
    const resource = readUiResource(answer.value, uri);
    if (resource) return resource;
    const reason = `The MCP server ${server.name} answered with something else than this resource.`;
    throw mcpFailed({ kind: "malformed_answer", reason });
  } finally {
    deadline.release();
    link.close();
  }
}

/** An end user's reading is no act of the tenant's; a key's reading is one. Written before the server is asked. */
async function audit(context: AppContext, server_id: string, uri: string): Promise<void> {
  if (context.get("principal").kind !== "tenant") return;
  await auditAlone(context, { action: "mcp_page.read", target: server_id, after: { uri } });
}
