// One structured line in the log of the deployment for each failure of a reply, a model call or a tool call. It has ids,
// kinds and statuses, and no text of a conversation or of another server.
import { describeFailure, hintFor, type FailedParty } from "../../agent/explain-failure.ts";
import type { ErrorInfo } from "../../protocol/messages/messages.ts";
import { redact } from "../../outgoing/redact.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { DiagnosedCall } from "../tables/diagnostics-table.ts";
import { modelParty, toolParty } from "./failed-party.ts";

/** `npm start` shows these lines in its own words: see `scripts/describe-problem.ts`. */
interface FailureLine {
  readonly log: "reply_failed" | "model_call_failed" | "tool_call_failed";
  readonly at: string;
  readonly tenant_id: string;
  readonly session_id: string;
  readonly reply_id: string;
  readonly what: string;
  readonly http_status?: number | null;
  readonly kind?: string;
  readonly error_type?: string;
  readonly hint: string | null;
}

interface FailedReply {
  readonly init: Pick<SessionInit, "tenant_id" | "session_id">;
  readonly reply: {
    readonly id: string;
    readonly finished_reason: string | null;
    readonly error: ErrorInfo | null;
  };
}

/**
 * Logs the calls that failed for good, among those that have ended with the same commit; a model call with which its
 * reply ended is part of the reply's line. Contract: never throws.
 */
export function logFailures(ended: readonly DiagnosedCall[], failed: FailedReply): void {
  const { finished_reason, error } = failed.reply;
  const isOver = finished_reason !== null;
  // Of a reply that has ended already nothing is appended, so its end is in this commit.
  const last = ended.findLast(({ kind }) => kind === "model");
  for (const { kind, call } of ended) {
    if (kind === "tool") {
      const { failure } = call;
      if (!failure || (call.outcome !== "error" && call.outcome !== "unknown")) continue;
      write("tool_call_failed", failed, { failure, party: toolParty(call) });
      continue;
    }
    const failure = call.outcome === "failed" ? call.failed_tries.at(-1) : undefined;
    if (!failure || (isOver && call === last?.call)) continue;
    write("model_call_failed", failed, { failure, party: modelParty(call) });
  }
  if (finished_reason !== "error") return;
  const failure = last?.kind === "model" ? last.call.failed_tries.at(-1) : undefined;
  if (failure && last?.kind === "model" && last.call.outcome === "failed") {
    write("reply_failed", failed, { failure, party: modelParty(last.call) });
    return;
  }
  writeLine({
    log: "reply_failed",
    ...whereOf(failed),
    what: redact(error?.message ?? "The reply failed."),
    error_type: error?.type ?? "unknown",
    hint: null,
  });
}

function write(
  log: FailureLine["log"],
  failed: FailedReply,
  { failure, party }: { failure: Parameters<typeof describeFailure>[0]; party: FailedParty },
): void {
  writeLine({
    log,
    ...whereOf(failed),
    what: redact(describeFailure({ ...failure, code: null }, party)),
    http_status: failure.http_status,
    kind: failure.kind,
    hint: hintFor(failure, party),
  });
}

function whereOf({ init, reply }: FailedReply) {
  const { tenant_id, session_id } = init;
  return { at: new Date().toISOString(), tenant_id, session_id, reply_id: reply.id };
}

/** JSON, in which line breaks and escape sequences of terminals are escaped: one failure is always one line. */
function writeLine(line: FailureLine): void {
  console.warn(JSON.stringify(line));
}
