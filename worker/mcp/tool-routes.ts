// The tools of an MCP server, and one of them called alone: no session, no agent, no model.
import { findMisfit } from "../../agent/json-schema/find-misfit.ts";
import { describeLeftOut } from "../../agent/mcp/describe-left-out.ts";
import { mcpToolName } from "../../agent/mcp/mcp-tool-name.ts";
import type { McpCatalogueTool, McpToolList, McpToolResult } from "../../protocol/mcp/contract.ts";
import { McpToolCallSchema, McpToolListQuerySchema } from "../../protocol/mcp/contract.ts";
import { ERRORS } from "../../protocol/errors.ts";
import { toProblem } from "../../protocol/problem.ts";
import { MAX_MCP_CALL_MS } from "../../protocol/mcp/limits.ts";
import { callMcpTool as runCall, type McpToolAnswer } from "../../tools/mcp/run-mcp-tool.ts";
import type { ServerCatalogue } from "../../tools/mcp/read-server-catalogue.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { auditAlone } from "../audit/audit.ts";
import { CallLease } from "../auth/call-lease.ts";
import { fieldError, HttpError, notFound } from "../http-error.ts";
import { openMcpServer, type OpenedMcpServer } from "./open-mcp-server.ts";
import { mcpFailed } from "./mcp-failed.ts";
import type { McpFailure } from "../../tools/mcp/mcp-outcome.ts";
import { pathId } from "../middleware/check-path.ts";
import { keepOutcome, keepUnknown } from "../requests/keep-answer.ts";
import { readBody } from "../requests/read-body.ts";
import { readQuery } from "../requests/read-query.ts";

const listMcpTools: RouteHandler = async (context) => {
  const { refresh, end_user_id } = readQuery(context, McpToolListQuerySchema);
  const lease = new CallLease(context);
  const opened = await openServer(context, lease, end_user_id);
  try {
    const kept = refresh ? null : knownCatalogue(opened);
    // A kept catalogue needs no lease: no server is asked.
    const catalogue = kept ?? (await lease.hold(() => askCatalogue(opened, lease)));
    const { dialect, tools, rest, readAtMs, expiresAtMs } = catalogue;
    const { id, name } = opened.server;
    const list: McpToolList = {
      server_id: id,
      protocol_version: dialect.version,
      data: tools.map((tool) => ({ ...tool, tool_name: mcpToolName(name, tool.name) })),
      left_out: describeLeftOut(rest),
      read_at: new Date(readAtMs).toISOString(),
      expires_at: new Date(expiresAtMs).toISOString(),
    };
    return context.json(list);
  } finally {
    opened.link?.close();
  }
};

/**
 * Under a lease, and with an entry in the audit, which has no word of the input. Sent once: with an `Idempotency-Key` a repeated request gets the first one's answer, or learns that nobody knows the
 * outcome.
 */
const callMcpTool: RouteHandler = async (context) => {
  const { input, end_user_id } = await readBody(context, McpToolCallSchema);
  const lease = new CallLease(context);
  const opened = await openServer(context, lease, end_user_id);
  try {
    const call = { opened, lease, input, end_user_id };
    return await lease.hold(async () => lease.answer(context.json(await runAlone(context, call))));
  } finally {
    opened.link?.close();
  }
};

interface LoneCall {
  readonly opened: OpenedMcpServer;
  readonly lease: CallLease;
  readonly input: Readonly<Record<string, unknown>>;
  readonly end_user_id?: string;
}

async function runAlone(
  context: AppContext,
  { opened, lease, input, end_user_id }: LoneCall,
): Promise<McpToolResult> {
  const { link, server } = opened;
  const tool = await findTool(opened, lease, pathId(context, "mcp_tool_name"));
  const misfit = findMisfit(input, tool.input_schema, { schemaName: "the tool's schema" });
  if (misfit) throw fieldError("validation_failed", "#/input", `the input ${misfit.text}`);
  if (!link) throw mcpFailed(opened.setup);
  const after = { tool_name: tool.name, ...(end_user_id !== undefined && { end_user_id }) };
  await auditAlone(context, { action: "mcp_tool.called", target: server.id, after });
  await keepUnknown(context, unknownOutcome(context), Date.now() + MAX_MCP_CALL_MS);
  const startedMs = Date.now();
  const answer = await callOnce({
    link,
    server_id: server.id,
    tool,
    input,
    timeoutMs: server.timeout_ms,
    stop: lease.stop,
    people: null,
  });
  const duration_ms = Math.max(Date.now() - startedMs, 0);
  if (!answer.ok) throw await keepFailure(context, await refused(opened, answer.failure));
  const { state, content, structured = null } = answer.result;
  const result: McpToolResult = {
    server_id: server.id,
    name: tool.name,
    state,
    content: [...content],
    structured_content: structured,
    duration_ms,
  };
  await keepOutcome(context, { status: 200, body: result });
  return result;
}

/** @throws HttpError 404 */
async function openServer(
  context: AppContext,
  lease: CallLease,
  endUserId: string | undefined,
): Promise<OpenedMcpServer> {
  const opened = await openMcpServer(context, pathId(context, "mcp_server_id"), {
    lease,
    endUserId: endUserId ?? null,
  });
  if (!opened) throw notFound("MCP server");
  if (opened.server.oauth?.owner !== "end_user" || endUserId !== undefined) return opened;
  const detail =
    "end users sign in to this server themselves: name the one whose grant is used (end_user_required)";
  throw fieldError("validation_failed", "#/end_user_id", detail);
}

/**
 * Null when the server has to be asked. @throws HttpError 502 when it could not be read a moment ago: it is not asked again
 * before half a minute has passed, or somebody wants it.
 */
function knownCatalogue({ kept, failed }: OpenedMcpServer): ServerCatalogue | null {
  if (kept || !failed) return kept;
  const { reason } = failed;
  throw mcpFailed({ ...failed, reason: `${reason} GET …/tools?refresh=true asks it now.` });
}

/** @throws HttpError 502 when the server does not answer as it should. */
async function askCatalogue(
  opened: OpenedMcpServer,
  { stop }: CallLease,
): Promise<ServerCatalogue> {
  const listed = await opened.list(stop);
  if (!listed.ok) throw await refused(opened, listed.failure);
  return listed.catalogue;
}

/** @throws HttpError 404 for a tool that the server does not list, 409 for one that cannot be used. */
async function findTool(
  opened: OpenedMcpServer,
  lease: CallLease,
  name: string,
): Promise<McpCatalogueTool> {
  const { tools, rest } = knownCatalogue(opened) ?? (await askCatalogue(opened, lease));
  const tool = tools.find((one) => one.name === name);
  if (tool?.disabled_reason === null) return tool;
  if (tool) throw new HttpError("conflict", `the tool cannot be used: ${tool.disabled_reason}`);
  const left = describeLeftOut(rest);
  if (!left) throw notFound("tool of this MCP server");
  const detail = `there is no such tool among those that were read of this MCP server. ${left.detail}`;
  throw new HttpError("not_found", detail);
}

/** Progress has nobody to read it. */
async function callOnce(call: Parameters<typeof runCall>[0]): Promise<McpToolAnswer> {
  const running = runCall(call);
  for (;;) {
    const { done, value } = await running.next();
    if (done) return value;
  }
}

/** With the sign-in that is missing, where that is why. */
async function refused(opened: OpenedMcpServer, failure: McpFailure): Promise<HttpError> {
  const begun = await opened.beginSignIn(failure);
  if (!begun) return mcpFailed(failure);
  if (!begun.ok) return mcpFailed({ kind: "setup", reason: begun.reason });
  return mcpFailed({ ...failure, kind: "setup" }, { authorization: begun.authorization });
}

/** For a repeated request, when the first one has come to no end. */
function unknownOutcome(context: AppContext) {
  const detail =
    "nobody knows whether the tool has run: the first request with this Idempotency-Key was lost";
  const extensions = { kind: "machine_lost", http_status: null };
  const refusal = { code: "mcp_failed", detail, extensions } as const;
  const body = toProblem(refusal, context.get("requestId"));
  return { status: ERRORS.mcp_failed.status, body };
}

async function keepFailure(context: AppContext, error: HttpError): Promise<HttpError> {
  const body = toProblem(error.refusal, context.get("requestId"));
  await keepOutcome(context, { status: body.status, body });
  return error;
}

export const mcpToolRoutes = { listMcpTools, callMcpTool };
