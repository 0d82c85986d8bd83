import type { WebhookJob } from "../webhooks/webhook-job.ts";

/** That a session's deletion has begun: whoever began it may have died. How far it came stands in D1. */
export interface RemovalJob {
  readonly kind: "session_removal";
  readonly tenant_id: string;
  readonly session_id: string;
}

/** That a tenant is closed and not erased yet. Each job is a bounded step, and gives the next one. */
export interface TenantRemovalJob {
  readonly kind: "tenant_removal";
  readonly tenant_id: string;
  /** Steps that follow each other have the same: of several chains for one tenant one goes on. */
  readonly chain: string;
}

/** That a walk over what the queues have lost has not come to its end. */
export interface WalkJob {
  readonly kind: "walk";
  /** The tenant whom the step before came to; empty to begin. */
  readonly after: string;
}

/** What the platform's queues carry. Any of them may come by any queue: an older version had but one. */
export type QueueJob = WebhookJob | RemovalJob | TenantRemovalJob | WalkJob;

/** Takes whatever a queue may hold. */
export function isRemovalJob(job: unknown): job is RemovalJob {
  return kindOf(job) === "session_removal";
}

/** Takes whatever a queue may hold. */
export function isTenantRemovalJob(job: unknown): job is TenantRemovalJob {
  return kindOf(job) === "tenant_removal";
}

/** Takes whatever a queue may hold. */
export function isWalkJob(job: unknown): job is WalkJob {
  return kindOf(job) === "walk";
}

function kindOf(job: unknown): unknown {
  return typeof job === "object" && job !== null && "kind" in job ? job.kind : undefined;
}
