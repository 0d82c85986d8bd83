// The commit with which a reply whose execution was lost is recovered, before anything else of it is read or written.
import { limitWait, recover } from "../../agent/recovery/recovery.ts";
import { WATCHDOG_INTERVAL_MS } from "../../protocol/replies/limits.ts";
import type { SessionSettings } from "../settings/session-settings.ts";
import { sessionTools } from "../settings/session-tools.ts";
import { WATCHDOG } from "../tables/timers.ts";
import type { ActiveReply } from "./active-reply.ts";
import { ReplyLog, type ReplyLogContext } from "./reply-log.ts";
import { maxRunMs, runningMs } from "./run-time.ts";

interface RecoveringSession extends ReplyLogContext {
  readonly settings: SessionSettings;
}

type Recovered =
  /** A new execution begins at this time; Unix milliseconds. */
  | { readonly type: "run"; readonly atMs: number }
  /** Attempts, time or tokens are spent: the reply ends, in the same log. */
  | {
      readonly type: "end";
      readonly budget: Extract<ReturnType<typeof recover>["next"], { type: "end" }>["budget"];
      readonly log: ReplyLog;
    };

/** Discards the parts that were left open, and counts the attempt. */
export function recoverReply(session: RecoveringSession, reply: ActiveReply): Recovered {
  const { tables, settings } = session;
  const row = tables.replies.journal(reply.id);
  const nowMs = Date.now();
  // Recovered before, and the object was lost during the back-off: nothing has happened since.
  if (row.not_before !== null) {
    return { type: "run", atMs: shortenWait(session, reply, row.not_before, nowMs) };
  }
  // The time between the crash and now is not counted.
  const ran_ms = row.run_ms + runningMs(row.running_since, reply.lastEventAtMs);
  const tools = sessionTools(settings.replyInit, tables);
  const { events, next, ...counts } = recover(
    reply.state,
    { ...row, ran_ms, max_run_ms: maxRunMs(settings.replyInit) },
    {
      isRepeatable: (name, id) =>
        tools.find((tool) => tool.name === name)?.idempotent === true ||
        tables.background.hasAnswer(id),
      nowMs,
      random: Math.random(),
    },
  );
  const not_before = next.type === "wait" ? next.untilMs : nowMs;
  const hasWaited = !reply.isRunning;
  if (hasWaited) reply.resume();
  else reply.fence();
  const log = new ReplyLog(session, reply);
  const write = (): void => {
    const { epoch, state } = reply;
    const steps_at_recovery = state.completed_steps;
    const recovered = { ...counts, epoch, steps_at_recovery, not_before, run_ms: ran_ms };
    tables.replies.recovered(reply.id, recovered);
    tables.timers.set(WATCHDOG, nowMs + WATCHDOG_INTERVAL_MS);
  };
  // A reply that waited on a connection does not wait any more.
  if (hasWaited) log.appendAnswer(events, write, tables.replies.trace(reply.id));
  else log.append(events, write);
  return next.type === "end"
    ? { type: "end", budget: next.budget, log }
    : { type: "run", atMs: not_before };
}

/** A shortened wait is stored, or each check would begin it anew. */
function shortenWait(
  { log, tables }: RecoveringSession,
  { id }: ActiveReply,
  notBeforeMs: number,
  nowMs: number,
): number {
  const atMs = limitWait(notBeforeMs, nowMs);
  if (atMs < notBeforeMs) {
    const write = () => {
      tables.replies.setNotBefore(id, atMs);
      tables.timers.setBy(WATCHDOG, nowMs + WATCHDOG_INTERVAL_MS);
    };
    log.append([], { write });
  }
  return atMs;
}
