import type { EventDraft } from "../../protocol/events.ts";
import type { ErrorInfo } from "../../protocol/messages/messages.ts";
import { closeReply } from "../state/close-reply.ts";
import type { ReplyRun } from "./reply-run.ts";

/** Ends the reply, with what its abilities and its answer add, in one append. */
export function endRun(
  run: ReplyRun,
  finished_reason: "completed" | "exceed_max_iters" | "error",
  error?: ErrorInfo,
  metadata?: Record<string, unknown>,
  answer: readonly EventDraft[] = [],
): void {
  const { log, session_id, abilities } = run;
  log.append([
    ...abilities.flatMap((ability) => ability.end?.(log.state) ?? []),
    ...answer,
    ...closeReply(log.state, { session_id, finished_reason, error, metadata }),
  ]);
}
