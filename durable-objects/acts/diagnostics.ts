// Diagnostics of a reply, put together of what its calls have left in the table, of the calls that are open in memory,
// and of the reply's row.
import { describeFailure, hintFor } from "../../agent/explain-failure.ts";
import type {
  FailedTry,
  ModelCallDiagnostics,
  ReplyDiagnostics,
  ToolCallDiagnostics,
} from "../../protocol/diagnostics/contract.ts";
import { MEMORY_RECALL_FAILED } from "../../protocol/memory/events.ts";
import { RECALL_MS } from "../../protocol/memory/limits.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { ErrorInfo } from "../../protocol/messages/messages.ts";
import { modelParty, toolParty } from "../replies/failed-party.ts";
import type { SessionInit } from "../api/session-api.ts";
import { hasMemory } from "../settings/reply-memory.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { NumberedCall, StoredModelCall, StoredToolCall } from "../tables/diagnostics-table.ts";
import type { QueuedReply } from "../tables/reply-queue-table.ts";
import { act } from "./act.ts";

/** In the state that is on disk; `not_found` for a reply of another session. */
async function readDiagnostics(
  session: OpenSession,
  { reply_id }: { readonly reply_id: string },
): Promise<Result<ReplyDiagnostics>> {
  const { log, tables, init } = session;
  await log.settled();
  if (log.isClosed) return refuse("not_found", "there is no such session");
  const row = tables.replies.find(reply_id);
  if (!row) {
    const queued = tables.queue.find(reply_id);
    if (queued) return accept(viewQueued(init, queued));
    return refuse("not_found", `there is no reply ${reply_id} in this session`);
  }
  const active = session.active?.id === reply_id ? session.active : null;
  const stored = tables.diagnostics.list(reply_id);
  const open = active?.calls.open() ?? [];
  const models = numbered(stored, open, "model").map(viewModelCall);
  const tools = numbered(stored, open, "tool").map(viewToolCall);
  const error =
    active?.state.message.error ?? tables.messages.ofReply(reply_id)?.message.error ?? null;
  const { epoch, status, agent_version } = row;
  const { attempts, run_ms, running_since, retry_at } = tables.replies.journal(reply_id);
  const isRunning = status === "running";
  const runsSince = isRunning && running_since !== null ? Date.now() - running_since : 0;
  return accept({
    reply_id,
    session_id: init.session_id,
    status,
    agent_version,
    ...summarize({ status, error, agent_version, models, tools }),
    memory: memoryProblem(session, row.start_cursor),
    error,
    model_calls: models,
    model_calls_omitted: (models[0]?.number ?? 1) - 1,
    tool_calls: tools,
    tool_calls_omitted: (tools[0]?.number ?? 1) - 1,
    recovery: {
      epoch,
      machines_lost: attempts,
      ran_ms: run_ms + Math.max(runsSince, 0),
      retry_at: isRunning && retry_at !== null && retry_at > Date.now() ? timeOf(retry_at) : null,
    },
  });
}

/** Why the reply had no memory, or nothing recalled; null when nothing was missing. */
function memoryProblem({ log, init }: OpenSession, startCursor: number): string | null {
  if (!init.agent.memory) return null;
  if (!hasMemory(init)) {
    return "The agent's memory is an end user's, and this session has none (end_user_required): nothing is recalled or recorded.";
  }
  for (const event of log.marks(startCursor)) {
    if (event.type === "CUSTOM" && event.name === MEMORY_RECALL_FAILED) {
      return event.value["reason"] === "timed_out"
        ? `The store of memories did not answer within ${RECALL_MS} ms: the reply went on without what its input recalls.`
        : "The store of memories could not be asked: the reply went on without what its input recalls.";
    }
    // A reply recalls before its first call.
    if (event.type === "MODEL_CALL_START" || event.type === "REPLY_END") return null;
  }
  return null;
}

interface Numbered<Call> {
  readonly number: number;
  readonly call: Call;
}

function numbered(
  stored: readonly NumberedCall[],
  open: readonly Omit<NumberedCall, "number">[],
  kind: "model",
): readonly Numbered<StoredModelCall>[];
function numbered(
  stored: readonly NumberedCall[],
  open: readonly Omit<NumberedCall, "number">[],
  kind: "tool",
): readonly Numbered<StoredToolCall>[];
function numbered(
  stored: readonly NumberedCall[],
  open: readonly Omit<NumberedCall, "number">[],
  kind: NumberedCall["kind"],
): readonly Numbered<StoredModelCall | StoredToolCall>[] {
  const ended = stored.filter((call) => call.kind === kind);
  const last = ended.at(-1)?.number ?? 0;
  const running = open
    .filter((call) => call.kind === kind)
    .map(({ call }, index) => ({ number: last + index + 1, call }));
  return [...ended.map(({ number, call }) => ({ number, call })), ...running];
}

function viewModelCall({ number, call }: Numbered<StoredModelCall>): ModelCallDiagnostics {
  const party = modelParty(call);
  const failed_tries: FailedTry[] = call.failed_tries.map((failed) => ({
    ...failed,
    hint: hintFor(failed, party),
  }));
  return { number, ...call, cost_usd: call.cost_usd ?? null, failed_tries };
}

function viewToolCall({ number, call }: Numbered<StoredToolCall>): ToolCallDiagnostics {
  const { failure } = call;
  const hint = failure && hintFor(failure, toolParty(call));
  return { number, ...call, failure: failure && hint ? { ...failure, hint } : null };
}

interface Summarized {
  readonly status: ReplyDiagnostics["status"];
  readonly error: ErrorInfo | null;
  readonly agent_version: number;
  readonly models: readonly ModelCallDiagnostics[];
  readonly tools: readonly ToolCallDiagnostics[];
}

/** The reply's end or its present state in one sentence, and the next step for the reader. */
function summarize({
  status,
  error,
  agent_version,
  models,
  tools,
}: Summarized): Pick<ReplyDiagnostics, "summary" | "hint"> {
  const last = models.at(-1);
  const failed = last?.failed_tries.at(-1);
  const version = `version ${agent_version} of the agent`;
  switch (status) {
    case "error": {
      if (!last || !failed || last.outcome !== "failed") {
        return { summary: error?.message ?? "The reply failed.", hint: hintOfError(error) };
      }
      const party = modelParty(last);
      const tries = last.tries > 1 ? `, the last of ${last.tries} tries` : "";
      const what = describeFailure(failed, party);
      return {
        summary: `${what}, asked for ${last.model} by ${version}${tries}.`,
        hint: hintFor(failed, party),
      };
    }
    case "running":
      if (failed && last && last.outcome === "running") {
        const what = describeFailure(failed, modelParty(last));
        return {
          summary: `The reply runs; its model call is tried again: ${what}.`,
          hint: hintFor(failed, modelParty(last)),
        };
      }
      return { summary: "The reply runs.", hint: null };
    case "awaiting_permission":
      return { summary: "The reply waits until a person has confirmed its calls.", hint: null };
    case "awaiting_external_result":
      return { summary: "The reply waits for the result of an external call.", hint: null };
    case "interrupted":
      return { summary: "The reply was interrupted.", hint: null };
    case "exceed_max_iters":
      return {
        summary: `The reply used up the rounds that ${version} allows (max_iters).`,
        hint: "Raise max_iters, or find out in its calls why the model did not come to an end.",
      };
    case "completed": {
      const failures = tools.filter(({ failure }) => failure !== null).length;
      if (failures === 0) return { summary: "The reply is complete.", hint: null };
      const calls = failures === 1 ? "one of its tool calls" : `${failures} of its tool calls`;
      return { summary: `The reply is complete; ${calls} failed.`, hint: null };
    }
    default:
      return status satisfies never;
  }
}

function hintOfError(error: ErrorInfo | null): string | null {
  switch (error?.type) {
    case "quota_exceeded":
      return "GET /v1/limits says which quota is used up; the operator can raise it.";
    case "output_limit":
      return "Raise the agent's budget, or ask for less in one reply.";
    case "internal":
      return "Try again later; when it stays, tell the operator the reply's id.";
    default:
      return null;
  }
}

function viewQueued(
  { session_id, agent_version }: Pick<SessionInit, "session_id" | "agent_version">,
  { id, status }: Pick<QueuedReply, "id" | "status">,
): ReplyDiagnostics {
  return {
    reply_id: id,
    session_id,
    status,
    agent_version,
    summary: "The reply is queued: it begins when those before it have ended.",
    hint: null,
    memory: null,
    error: null,
    model_calls: [],
    model_calls_omitted: 0,
    tool_calls: [],
    tool_calls_omitted: 0,
    recovery: { epoch: 1, machines_lost: 0, ran_ms: 0, retry_at: null },
  };
}

function timeOf(unixMs: number): string {
  return new Date(unixMs).toISOString();
}

export const DIAGNOSTICS_ACTS = {
  /** Why a reply failed, or what took long. */
  readDiagnostics: act<{ readonly reply_id: string }, ReplyDiagnostics>({
    answersUnreadable: true,
    run: readDiagnostics,
  }),
} as const;
