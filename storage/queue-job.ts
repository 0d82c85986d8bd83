import type { WebhookJob } from "./webhook-job.ts";

/** That a session's deletion has begun: whoever began it may have died. How far it came stands in D1. */
export interface RemovalJob {
  readonly kind: "session_removal";
  readonly tenant_id: string;
  readonly session_id: string;
}

/** What the platform's queue carries. */
export type QueueJob = WebhookJob | RemovalJob;

/** Takes whatever a queue may hold. */
export function isRemovalJob(job: unknown): job is RemovalJob {
  const isObject = typeof job === "object" && job !== null;
  return isObject && "kind" in job && job.kind === "session_removal";
}
