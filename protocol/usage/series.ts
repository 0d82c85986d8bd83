// Series of a tenant's replies over time, for plots.
import * as z from "zod";

import { TimestampSchema } from "../schemas/common.ts";
import { CostSchema } from "../schemas/money.ts";
import { audioSums } from "./contract.ts";

const SERIES_GROUPS = ["agent", "model"] as const;
export type SeriesGroup = (typeof SERIES_GROUPS)[number];

const SeriesGroupsSchema = z
  .string()
  .max(64)
  .transform((text) => text.split(","))
  .pipe(z.array(z.enum(SERIES_GROUPS)))
  .refine((groups) => new Set(groups).size === groups.length, {
    message: "name each group once",
  });

/** @public */
export const UsageSeriesQuerySchema = z.strictObject({
  /** Days, `YYYY-MM-DD` in UTC, both included. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  interval: z.enum(["hour", "day"]).default("day"),
  /** `agent`, `model`, or both with a comma between; one series of all when left out. */
  series_by: SeriesGroupsSchema.optional(),
  /** The operator names the tenant; a tenant's key may leave it out. */
  tenant_id: z.string().max(200).optional(),
  agent_id: z.string().max(200).optional(),
  model_name: z.string().max(200).optional(),
});
export type UsageSeriesFilter = z.input<typeof UsageSeriesQuerySchema>;

const count = z.number().int().nonnegative();
const histogram = z.array(count);
const waits = z.object({ permission: histogram, external_result: histogram });

/** Replies of one hour or day. @public */
export const SeriesPointSchema = z
  .object({
    at: TimestampSchema,
    agent_id: z.string().nullable(),
    model_name: z.string().nullable(),
    replies: count,
    completed: count,
    interrupted: count,
    error: count,
    exceed_max_iters: count,
    error_types: z.record(z.string(), count),
    first_output: histogram,
    waits,
    input_tokens: count,
    output_tokens: count,
    cost_usd: CostSchema,
    ...audioSums,
  })
  .meta({
    id: "UsageSeriesPoint",
    description: "Replies that ended in one hour or day, of one agent or model, or of all.",
  });
export type SeriesPoint = z.infer<typeof SeriesPointSchema>;

export const UsageSeriesSchema = z
  .object({
    interval: z.enum(["hour", "day"]),
    first_output_bounds_ms: z.array(count),
    wait_bounds_ms: z.array(count),
    points: z.array(SeriesPointSchema),
    is_whole: z.boolean(),
    waiting: waits,
  })
  .meta({ id: "UsageSeries", description: "Series of replies over time, newest first." });
export type UsageSeries = z.infer<typeof UsageSeriesSchema>;
