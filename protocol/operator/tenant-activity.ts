// Activity of tenants, now and today, for their operator.
import * as z from "zod";

import { MAX_ACTIVITY_TENANTS } from "./limits.ts";

const count = z.number().int().nonnegative();

export const TenantActivityQuerySchema = z.strictObject({
  /** Ids of tenants, separated by commas. */
  tenant_ids: z
    .string()
    .max(4_000)
    .transform((text) => text.split(","))
    .pipe(z.array(z.string().min(1)).max(MAX_ACTIVITY_TENANTS)),
});

/** @public */
export const TenantActivitySchema = z
  .object({
    tenant_id: z.string(),
    running_replies: count.nullable(),
    replies: count,
    error: count,
    is_whole: z.boolean(),
  })
  .meta({ id: "TenantActivity", description: "What one tenant does now, and has done today." });
export type TenantActivity = z.infer<typeof TenantActivitySchema>;

export const TenantActivitiesSchema = z
  .object({ day: z.iso.date(), data: z.array(TenantActivitySchema) })
  .meta({ id: "TenantActivities", description: "What some tenants do now, and have done today." });
export type TenantActivities = z.infer<typeof TenantActivitiesSchema>;
