// The AG-UI endpoints of an agent: run, connect to a thread, capabilities.
import { profileOf } from "../../protocol/ag-ui/ag-ui-profile.ts";
import { AgUiJoinQuerySchema, AgUiRunQuerySchema } from "../../protocol/ag-ui/ag-ui-queries.ts";
import { RunAgentInputSchema } from "../../protocol/ag-ui/contract.ts";
import { proxiedMcpRequest } from "../../protocol/dialects/ag-ui/input/proxied-mcp-request.ts";
import { toCapabilities } from "../../protocol/dialects/ag-ui/to-capabilities.ts";
import { readRunInput } from "../../protocol/dialects/ag-ui/input/read-run-input.ts";
import { resumeMedia, withResumeMedia } from "../../protocol/dialects/ag-ui/input/resume-media.ts";
import { MAX_TRANSCRIPT_VALUES } from "../../protocol/ag-ui/limits.ts";
import { SESSION_ID_HEADER } from "../../protocol/requests/headers.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import { readAgentSnapshot } from "../../storage/agents/agent-snapshot.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { CODE_TOOLS } from "../../tools/code-tools.ts";
import { answerRun } from "./answer-run.ts";
import { answerStream } from "../sessions/answer-stream.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { mediaPlace } from "../files/media-place.ts";
import { hasMediaToSettle, settleMedia } from "../files/settle-media.ts";
import { notFound, unwrap } from "../http-error.ts";
import { runMcpRequest } from "./run-mcp-request.ts";
import { lastEventId, parseCursor } from "../requests/last-event-id.ts";
import { pathId } from "../middleware/check-path.ts";
import { mayEdit, readerOf, tenantOf } from "../principal.ts";
import { readBody } from "../requests/read-body.ts";
import { readQuery } from "../requests/read-query.ts";
import { sessionStub } from "../objects/session-stub.ts";
import { requireStream } from "../sessions/shown-reply.ts";
import { agentMismatch, claimThread, ensureThread, checkThreadOwner } from "./start-run.ts";
import { findThreadSession } from "./thread-session.ts";

/** One run, always as a stream. A repeated run is replayed from its start, or from `Last-Event-ID`. */
const runAgUi: RouteHandler = async (context) => {
  requireStream(context.get("principal"), "ag-ui");
  const { raw, end_user_id } = readQuery(context, AgUiRunQuerySchema);
  const body = await readBody(context, RunAgentInputSchema, undefined, MAX_TRANSCRIPT_VALUES);
  const { threadId: thread_id, runId: run_id, parentRunId: parent_run_id } = body;
  const agent_id = pathId(context, "agent_id");
  const thread = await findThreadSession(context, agent_id, thread_id, "#/threadId");
  const proxied = proxiedMcpRequest(body.forwardedProps);
  // The request opens no thread, and asks as the end user of the one that there is.
  if (proxied && end_user_id !== undefined) await checkThreadOwner(context, thread, end_user_id);
  if (proxied) return runMcpRequest(context, thread.session_id, { agent_id, body, proxied });
  const read = unwrap(readRunInput(body));
  if (context.get("isLarge")) await timeSlice();
  const mark = {
    run_id,
    ...(thread.is_named && { thread_id }),
    ...(parent_run_id != null && { parent_run_id }),
  };
  const profile = profileOf(body.protocolVersion);
  if (end_user_id !== undefined)
    await claimThread(context, thread, { agent_id, mark, end_user_id });
  const media = {
    messages: read.messages,
    results: read.results,
    resume: resumeMedia(read.resume),
  };
  if (hasMediaToSettle(context, media)) {
    // Files belong to a session, so a new thread's has to be there first.
    await ensureThread(context, thread, { agent_id, mark });
  }
  const place = mediaPlace(context, thread.session_id);
  const { resume, ...settled } = await settleMedia(context, place, media, "#");
  const input = { ...read, ...settled, resume: withResumeMedia(read.resume, resume) };
  return answerRun(context, thread, { wish: { agent_id, mark, input, profile }, body, raw });
};

/** The thread's current state and the events after it; or the events after a frame. */
const joinAgUi: RouteHandler = async (context) => {
  const { thread_id, after, follow, raw, profile } = readQuery(context, AgUiJoinQuerySchema);
  const agentId = pathId(context, "agent_id");
  const thread = await findThreadSession(context, agentId, thread_id, "#/query/thread_id");
  const stub = sessionStub(context.env, tenantOf(context), thread.session_id);
  const session = await stub.act("read");
  if (!session.ok) {
    const isKnown = thread.is_named && (await readAgent(context, agentId)) !== null;
    if (isKnown) return context.body(null, 204);
    throw notFound(thread.is_named ? "agent" : "session");
  }
  if (session.value.agent_id !== agentId) throw await agentMismatch(context, agentId);
  const position =
    lastEventId(context, "ag-ui") ??
    (after === undefined ? null : parseCursor(after, "#/query/after", "ag-ui"));
  const range = {
    after: position,
    format: "ag-ui",
    raw,
    profile,
    follow,
    ...readerOf(context),
  } as const;
  return answerStream(context, stub, range, { [SESSION_ID_HEADER]: thread.session_id });
};

const readAgUiCapabilities: RouteHandler = async (context) =>
  context.json(
    toCapabilities(await readAgentInUse(context), CODE_TOOLS, mayEdit(context.get("principal"))),
  );

/** For the newest version of the agent; for a client token, for the version that its session uses. */
async function readAgentInUse(context: AppContext) {
  const principal = context.get("principal");
  const agentId = pathId(context, "agent_id");
  if (principal.kind !== "client_token") {
    const agent = await readAgent(context, agentId);
    if (!agent) throw notFound("agent");
    return agent;
  }
  const { tenantId, sessionId } = principal;
  const stub = sessionStub(context.env, tenantId, sessionId);
  const session = unwrap(await stub.act("read"));
  if (session.agent_id !== agentId) throw notFound("session");
  const version = session.follows_latest ? "latest" : session.agent_version;
  const read = (one: number | "latest") =>
    readAgentSnapshot(context.env.DB, tenantId, agentId, one);
  const kept = await read(version);
  // The next reply of a session with a retired version has the newest one.
  const snapshot = kept?.is_retired ? await read("latest") : kept;
  if (snapshot) return { ...snapshot.definition, version: snapshot.version };
  // The agent was deleted: the session continues with its own copy.
  const { init } = unwrap(await stub.act("readForkSource"));
  return { ...init.agent, version: init.agent_version };
}

function readAgent(context: AppContext, agentId: string) {
  return tenantStorage(context.env.DB, tenantOf(context)).agents.read(agentId);
}

export const agUiRoutes = { runAgUi, joinAgUi, readAgUiCapabilities };
