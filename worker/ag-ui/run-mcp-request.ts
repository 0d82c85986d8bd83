// Answers what a page of an MCP server asks for through AG-UI, as its middleware for MCP Apps does: a run whose result is the
// server's answer. It is in no log, and starts no reply.
import type { UiResource } from "../../agent/mcp/read-ui-resource.ts";
import { declaredOrigins } from "../../agent/mcp/ui-policy.ts";
import type { RunAgentInput } from "../../protocol/ag-ui/contract.ts";
import { profileOf } from "../../protocol/ag-ui/ag-ui-profile.ts";
import type { ProxiedMcpRequest } from "../../protocol/dialects/ag-ui/input/proxied-mcp-request.ts";
import { McpResourceQuerySchema } from "../../protocol/mcp/mcp-ui.ts";
import { eventInProfile } from "../../protocol/dialects/ag-ui/profile.ts";
import {
  AG_UI_PROTOCOL_VERSION,
  type AgUiEvent,
} from "../../protocol/dialects/ag-ui/wire/events.ts";
import { UI_MEDIA_TYPE } from "../../protocol/mcp/ui-resources.ts";
import { SESSION_ID_HEADER } from "../../protocol/requests/headers.ts";
import { encodeFrame } from "../../protocol/sse.ts";
import type { AppContext } from "../app-env.ts";
import { fieldError, notFound, unwrap } from "../http-error.ts";
import { tenantOf } from "../principal.ts";
import { EVENT_STREAM_HEADERS } from "../sessions/event-stream.ts";
import { sessionStub } from "../objects/session-stub.ts";
import { readMcpResource } from "../mcp/read-mcp-resource.ts";

interface McpRun {
  readonly agent_id: string;
  readonly body: RunAgentInput;
  readonly proxied: ProxiedMcpRequest;
}

const REQUEST = "#/forwardedProps/__proxiedMCPRequest";

/**
 * Pages read resources; a call of a tool would pass by the rules of the agent and its people, so it is refused.
 * @throws HttpError 400 for another method, 404 for another agent's session and a server that it does not name, 502 when the
 *   server does not answer as it should.
 */
export async function runMcpRequest(
  context: AppContext,
  sessionId: string,
  { agent_id, body, proxied }: McpRun,
): Promise<Response> {
  const { method, server_id, uri } = proxied;
  if (method !== "resources/read") {
    const detail = "pages of MCP servers may read resources, and nothing else";
    throw fieldError("validation_failed", `${REQUEST}/method`, detail);
  }
  const query = McpResourceQuerySchema.safeParse({ server_id, uri });
  if (!query.success) {
    const detail = "the address of a page begins with ui://, and its server has an id";
    throw fieldError("validation_failed", `${REQUEST}/params/uri`, detail);
  }
  const stub = sessionStub(context.env, tenantOf(context), sessionId);
  const session = unwrap(await stub.act("read"));
  if (session.agent_id !== agent_id) throw notFound("session");
  const server = unwrap(await stub.act("readMcpServer", server_id));
  const headers = { [SESSION_ID_HEADER]: sessionId };
  return readMcpResource(context, query.data, server, (resource) => {
    if (!resource.isPage) throw notFound("page of this MCP server");
    return toStream(body, { contents: [contentOf(uri, resource)] }, session.cursor, headers);
  });
}

/** The one that was asked for, with what a page needs to be shown. */
function contentOf(uri: string, { content, ui }: UiResource) {
  const { permissions, prefersBorder } = ui;
  return {
    uri,
    mimeType: UI_MEDIA_TYPE,
    text: typeof content === "string" ? content : new TextDecoder().decode(content),
    _meta: {
      ui: {
        csp: declaredOrigins(ui["csp"]),
        ...(permissions !== undefined && { permissions }),
        ...(typeof prefersBorder === "boolean" && { prefersBorder }),
      },
    },
  };
}

function toStream(
  { threadId, runId, parentRunId, protocolVersion }: RunAgentInput,
  result: unknown,
  cursor: number,
  headers: Readonly<Record<string, string>>,
): Response {
  const timestamp = Date.now();
  const version = { protocolVersion: AG_UI_PROTOCOL_VERSION };
  const parent = parentRunId == null ? {} : { parentRunId };
  const events: readonly AgUiEvent[] = [
    { type: "RUN_STARTED", threadId, runId, ...parent, ...version, timestamp },
    { type: "RUN_FINISHED", threadId, runId, outcome: { type: "success" }, result, timestamp },
  ];
  const frames = events
    .flatMap((event) => eventInProfile(profileOf(protocolVersion), event) ?? [])
    .map((event) => encodeFrame(cursor, event.type, JSON.stringify(event)));
  return new Response(frames.join(""), { headers: { ...headers, ...EVENT_STREAM_HEADERS } });
}
