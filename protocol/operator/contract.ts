// The operator's health report.
import * as z from "zod";

import type { ReplyEnd } from "../replies/reply-end.ts";
import { ReadinessSchema } from "./readiness.ts";
import { TimestampSchema } from "../schemas/common.ts";

const count = z.number().int().nonnegative();

/** One store: whether it answered, and after how many milliseconds. */
const ReachSchema = z.object({ status: z.enum(["ok", "failed"]), ms: count });

/** Work that waits. */
const BacklogSchema = z.object({
  /** At most `MAX_COUNTED_BACKLOG`: more are not counted. Likewise the next one. */
  pending: count,
  /** Rows whose time is over: their job was lost, or the sweep does not run. */
  overdue: count,
  /** Since when the oldest of them is overdue; null when none is. */
  overdue_since: TimestampSchema.nullable(),
});

/** Members, not a record by the statuses, whose JSON Schema would require names that it does not define. */
const RepliesSchema = z.object({
  completed: count,
  interrupted: count,
  exceed_max_iters: count,
  error: count,
} satisfies Record<ReplyEnd, z.ZodType>);

export const OperatorHealthSchema = z
  .object({
    /** `degraded` when the deployment is not ready, or a store does not answer. */
    status: z.enum(["ok", "degraded"]),
    checked_at: TimestampSchema,
    /** As `/readyz` says, kept for some seconds: configuration, migrations, objects. */
    readiness: ReadinessSchema,
    database: ReachSchema,
    files: ReachSchema,
    /** Null while the database does not answer; likewise the next two. */
    queues: z
      .object({
        webhook_deliveries: BacklogSchema,
        session_removals: BacklogSchema,
        tenant_removals: BacklogSchema,
        file_removals: BacklogSchema,
      })
      .nullable(),
    /** Work of the last hour, in whole slots of ten minutes. */
    activity: z
      .object({
        since: TimestampSchema,
        sessions_opened: count,
        replies: RepliesSchema,
        /** Most first. */
        errors: z.array(z.object({ type: z.string(), replies: count })),
        /** Oldest first; slots without anything are left out. */
        slots: z.array(
          z.object({ at: TimestampSchema, sessions_opened: count, replies: RepliesSchema }),
        ),
      })
      .nullable(),
    tenants: z
      .object({
        /** Ids of suspended tenants, at most `MAX_LISTED_TENANTS`. */
        suspended: z.array(z.string()),
        /** Closed tenants that are not erased yet. */
        closing: count,
      })
      .nullable(),
  })
  .meta({ id: "OperatorHealth", description: "The health of the deployment." });
export type OperatorHealth = z.infer<typeof OperatorHealthSchema>;
export type Backlog = z.infer<typeof BacklogSchema>;

export const HealthSchema = z.object({ status: z.literal("ok") }).meta({ id: "Health" });
