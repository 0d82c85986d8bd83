// Reads the page of an MCP server for an app: with the server and the credentials of the session's agent.
import { readUiResource, type UiResource } from "../../agent/mcp/read-ui-resource.ts";
import type { SessionServer } from "../../durable-objects/mcp/session-server.ts";
import type { McpResourceQuery } from "../../protocol/api/mcp/mcp-ui.ts";
import { MCP_UI_MS } from "../../protocol/limits/abilities/mcp-apps.ts";
import { CallDeadline } from "../../tools/mcp/call-deadline.ts";
import type { AppContext } from "../app-env.ts";
import { notFound } from "../http-error.ts";
import { mcpFailed } from "./mcp-failed.ts";
import { openMcpServer } from "./open-mcp-server.ts";

/** A Worker that is not needed any more is ended with its request. */
const NEVER = new AbortController().signal;

/**
 * @param query With an address of the scheme `ui`.
 * @param found The server as the session knows it, whose agent names it.
 * @throws HttpError 404 for a server that was deleted, 502 when the server does not answer as it should.
 */
export async function readMcpResource(
  context: AppContext,
  { server_id: serverId, uri }: McpResourceQuery,
  { kept, end_user_id }: SessionServer,
): Promise<UiResource> {
  const opened = await openMcpServer(context, serverId, {
    endUserId: end_user_id,
    session: kept,
  });
  if (!opened) throw notFound("MCP server");
  const { link, setup, server } = opened;
  if (!link) throw mcpFailed(setup);
  const deadline = new CallDeadline(
    { idleMs: Math.min(server.timeout_ms, MCP_UI_MS), totalMs: MCP_UI_MS },
    NEVER,
  );
  try {
    const read = await link.read(uri, deadline);
    if (!read.ok) throw mcpFailed(read.failure);
    const resource = readUiResource(read.value, uri);
    if (resource) return resource;
    const reason = `The MCP server ${server.name} answered with something else than this resource.`;
    throw mcpFailed({ kind: "malformed_answer", reason });
  } finally {
    deadline.release();
    link.close();
  }
}
