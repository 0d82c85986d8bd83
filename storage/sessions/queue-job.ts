import type { A2aPushJob } from "../a2a/push-job.ts";
import type { WebhookJob } from "../webhooks/webhook-job.ts";

/** Completes the deletion of a session if it was interrupted. Its progress is in D1. */
export interface RemovalJob {
  readonly kind: "session_removal";
  readonly tenant_id: string;
  readonly session_id: string;
}

/** One bounded step of a closed tenant's erasure, which enqueues the next step. */
export interface TenantRemovalJob {
  readonly kind: "tenant_removal";
  readonly tenant_id: string;
  /** Identifies a chain of successive steps: of concurrent chains for one tenant only one continues. */
  readonly chain: string;
}

/** One bounded step of the removal of an end user, which enqueues the next step. */
export interface EndUserRemovalJob {
  readonly kind: "end_user_removal";
  readonly tenant_id: string;
  readonly end_user_id: string;
  /** As of {@link TenantRemovalJob}. */
  readonly chain: string;
}

/** The next step of a cron sweep. */
export interface SweepJob {
  /** A sweep's former name: jobs that are in the queue during a deployment carry it. */
  readonly kind: "walk";
  /** The last tenant of the previous step, by id; empty for the first step. */
  readonly after: string;
}

/** The jobs in the platform's queues. The consumer accepts each of them from any queue. */
export type QueueJob =
  | WebhookJob
  | A2aPushJob
  | RemovalJob
  | TenantRemovalJob
  | EndUserRemovalJob
  | SweepJob;

export function isA2aPushJob(job: unknown): job is A2aPushJob {
  return kindOf(job) === "a2a_push";
}

export function isRemovalJob(job: unknown): job is RemovalJob {
  return kindOf(job) === "session_removal";
}

export function isTenantRemovalJob(job: unknown): job is TenantRemovalJob {
  return kindOf(job) === "tenant_removal";
}

export function isEndUserRemovalJob(job: unknown): job is EndUserRemovalJob {
  return kindOf(job) === "end_user_removal";
}

export function isSweepJob(job: unknown): job is SweepJob {
  return kindOf(job) === "walk";
}

function kindOf(job: unknown): unknown {
  return typeof job === "object" && job !== null && "kind" in job ? job.kind : undefined;
}
