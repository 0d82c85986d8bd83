import type { ContextCompressionFailedValue } from "../../protocol/context/events.ts";
import { CONTEXT_COMPRESSION_FAILED } from "../../protocol/context/events.ts";
import { WATCHDOG_INTERVAL_MS } from "../../protocol/replies/limits.ts";
import { WATCHDOG } from "../tables/timers.ts";
import type { CompressionSession } from "./compression-session.ts";

/** The usage of a compression between replies that failed. */
export interface FailedUse {
  readonly value: ContextCompressionFailedValue;
  /** US dollars; null when it is not known. */
  readonly cost_usd: number | null;
}

/** One commit: the event, its usage for D1, and what else ends with it. @param write Part of it. */
export function billCompression(
  { log, tables, outbox, isActing }: CompressionSession,
  summaryId: string,
  { value, cost_usd }: FailedUse,
  write: () => void,
): void {
  const { model: model_name, usage } = value;
  const draft = { type: "CUSTOM", name: CONTEXT_COMPRESSION_FAILED, value: { ...value } } as const;
  log.append([draft], {
    isLast: !isActing,
    write: (events) => {
      const seq = events.at(-1)?.seq ?? log.lastSeq;
      outbox.addUsage(summaryId, { model_name, usage, cost_usd }, seq);
      tables.timers.setBy(WATCHDOG, Date.now() + WATCHDOG_INTERVAL_MS);
      write();
    },
  });
}
