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

/** The next step of a cron sweep. */
export interface SweepJob {
  /** A sweep's former name: jobs that are in the queue during a deployment carry it. */
  readonly kind: "walk";
  /** The last tenant of the previous step, by id; empty for the first step. */
  readonly after: string;
}

/** What the platform's queues carry. Any of them may come by any queue: an older version had but one. */
export type QueueJob = WebhookJob | RemovalJob | TenantRemovalJob | SweepJob;

/** Takes whatever a queue may hold. */
export function isRemovalJob(job: unknown): job is RemovalJob {
  return kindOf(job) === "session_removal";
}

/** Takes whatever a queue may hold. */
export function isTenantRemovalJob(job: unknown): job is TenantRemovalJob {
  return kindOf(job) === "tenant_removal";
}

/** Takes whatever a queue may hold. */
export function isSweepJob(job: unknown): job is SweepJob {
  return kindOf(job) === "walk";
}

function kindOf(job: unknown): unknown {
  return typeof job === "object" && job !== null && "kind" in job ? job.kind : undefined;
}
