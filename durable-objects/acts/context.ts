// A compression that a request asks for.
import { CONTEXT_FOLD } from "../../agent/context/context-fold.ts";
import type { Compress, Compression } from "../../protocol/context/compression.ts";
import { CONTEXT_COMPRESSED, type ContextCompressedValue } from "../../protocol/context/events.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { COMPRESSION_CHECK_MS } from "../../protocol/context/limits.ts";
import { REPLY_WAIT_MS } from "../../protocol/replies/limits.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import type { CompressionReport } from "../context/session-compression.ts";
import { refuseBusy, refuseRunning } from "../replies/refuse-busy.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { RecordResult } from "../tables/once.ts";
import { COMPRESSION } from "../tables/timers.ts";
import { act } from "./act.ts";

/** A result as the idempotency key keeps it. */
export interface KeptCompression {
  /** Null when there was nothing to summarise. */
  readonly summary_id: string | null;
}

type CompressionAsked = Pick<Compress, "on_busy"> & { readonly instructions?: string | null };

interface CompressOptions {
  readonly trace?: TraceContext;
  readonly recordResult: RecordResult<KeptCompression>;
}

const GONE = refuse("not_found", "there is no such session");
const NOTHING: Compression = { status: "nothing", summary_id: null, compressed: null };

/**
 * Resolves when the summary is durable, or when it is sure to be made: after the open reply, or when it takes long. From
 * the start on the object makes it, whether the request waits or not, and again after a crash.
 */
async function compressSession(
  session: OpenSession,
  { instructions = null, on_busy }: CompressionAsked,
  { trace, recordResult }: CompressOptions,
): Promise<Result<Compression>> {
  const { log, tables, compression, newId } = session;
  if (log.isClosed) return GONE;
  const isBusy = isReplyDue(session);
  const refused = isBusy && on_busy === "reject" ? refuseDue(session) : null;
  if (refused) return refused;
  const summary_id = tables.compression.requested?.summary_id ?? newId("sum");
  session.transaction(() => {
    tables.compression.request({ summary_id, instructions });
    // The end of the open reply sets it earlier.
    tables.timers.setBy(COMPRESSION, Date.now() + COMPRESSION_CHECK_MS);
    if (isBusy) recordResult({ summary_id });
  });
  await session.sync();
  if (log.isClosed) return GONE;
  if (isBusy) return accept(queued(summary_id));
  const kept = { isRecorded: false };
  const write = () => {
    recordResult({ summary_id });
    kept.isRecorded = true;
  };
  const made = compression.run({ summary_id, instructions, isRequested: true, trace, write });
  const report = await withinTime(made);
  if (log.isClosed) return GONE;
  switch (report?.type) {
    case "completed":
      // Made for the request, or the timer, that this one has joined.
      if (!kept.isRecorded) {
        session.transaction(write);
        await session.sync();
      }
      return accept(completed(report.value));
    case "nothing":
      session.transaction(() => recordResult({ summary_id: null }));
      await session.sync();
      return accept(NOTHING);
    case "failed": {
      const { error } = report;
      const detail = `the summary could not be made: ${error.message}`;
      return refuse("compression_failed", detail, { extensions: { error } });
    }
    case "refused":
      return { ok: false, refusal: report.refusal };
    default:
      session.transaction(write);
      await session.sync();
      return accept(queued(summary_id));
  }
}

/** The answer of a repeated request, as it is now. */
function viewCompression(
  session: OpenSession,
  { summary_id }: KeptCompression,
): Result<Compression> {
  const { tables, log } = session;
  if (summary_id === null) return accept(NOTHING);
  if (tables.compression.requested?.summary_id === summary_id) return accept(queued(summary_id));
  if (tables.abilities.read(CONTEXT_FOLD).summary?.id === summary_id) {
    const value = findSummary(session, summary_id);
    const compressed = value && completed(value).compressed;
    return accept({ status: "completed", summary_id, compressed });
  }
  const { failure } = tables.compression;
  if (!failure || log.isClosed) return accept({ ...NOTHING, summary_id });
  const detail = `the summary could not be made: ${failure.error.message}`;
  return refuse("compression_failed", detail, { extensions: { error: failure.error } });
}

/** Null when messages were left out since. */
function findSummary({ tables, log }: OpenSession, id: string): ContextCompressedValue | null {
  const seq = tables.abilities.changedAt(CONTEXT_FOLD);
  for (const { item } of log.events(seq - 1, log.durableSeq)) {
    if (item.type !== "CUSTOM" || item.name !== CONTEXT_COMPRESSED) continue;
    const value = item.value as unknown as ContextCompressedValue;
    if (value.summary_id === id) return value;
  }
  return null;
}

/** Whether a reply is open, or about to begin. */
function isReplyDue({ openReply, queue }: OpenSession): boolean {
  return openReply !== null || queue.isQueueDue;
}

function refuseDue({ openReply, tables }: OpenSession): Result<never> {
  if (openReply) return refuseBusy(openReply, tables.calls);
  return refuseRunning(tables.queue.firstToRun()?.id ?? "");
}

function queued(summary_id: string): Compression {
  return { status: "queued", summary_id, compressed: null };
}

function completed(value: ContextCompressedValue): Compression {
  const { trigger: _trigger, reply_id: _reply, ...compressed } = value;
  return { status: "completed", summary_id: value.summary_id, compressed };
}

/** Null when it takes longer than a request may wait. */
async function withinTime(made: Promise<CompressionReport>): Promise<CompressionReport | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), REPLY_WAIT_MS);
  });
  const report = await Promise.race([made, late]);
  clearTimeout(timer);
  return report;
}

export const CONTEXT_ACTS = {
  /**
   * Summarises the conversation for its model. Resolves when the summary is durable, or sure to be made. Keeps its id.
   */
  compress: act<Compress, Compression, KeptCompression>({
    run: compressSession,
    replay: viewCompression,
  }),
} as const;
