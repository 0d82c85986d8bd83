// Usage reports: sums over a tenant's replies.
import * as z from "zod";

import { PageQuerySchema, pageOf } from "../schemas/common.ts";
import { CostSchema } from "../schemas/money.ts";

const USAGE_GROUPS = ["day", "agent", "model", "end_user"] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** `2026-11-21`, in UTC. */
const DaySchema = z.iso.date();

const GroupsSchema = z
  .string()
  .max(64)
  .transform((text) => text.split(","))
  .pipe(z.array(z.enum(USAGE_GROUPS)))
  .refine((groups) => new Set(groups).size === groups.length, {
    message: "name each group once",
  });

export const UsageQuerySchema = PageQuerySchema.extend({
  /** The first day, inclusive. */
  from: DaySchema.optional(),
  /** The last day, inclusive; today when left out. */
  to: DaySchema.optional(),
  /** One or several of `day`, `agent`, `model`, `end_user`, separated by commas. */
  group_by: GroupsSchema.default(["day", "agent"]),
  agent_id: z.string().max(200).optional(),
  model_name: z.string().max(200).optional(),
  end_user_id: z.string().max(200).optional(),
  /** `csv` exports all sums of the report; `page` and `limit` are ignored then. */
  format: z.enum(["json", "csv"]).optional(),
});

const count = z.number().int().nonnegative();

/** Speech that was heard and said. The tokens are among the others. */
export const audioSums = {
  audio_input_ms: count,
  audio_output_ms: count,
  audio_input_tokens: count,
  audio_output_tokens: count,
} as const;

/** A reply counts on the day on which it last ended or began to wait. */
export const UsageRowSchema = z
  .object({
    /** Null when not grouped by day; likewise the next three. */
    day: DaySchema.nullable(),
    agent_id: z.string().nullable(),
    model_name: z.string().nullable(),
    /** Null also for what belongs to no end user, or is not known to. */
    end_user_id: z.string().nullable(),
    /** Replies that called a model. A summary that is made between replies counts as none; its tokens are counted. */
    replies: count,
    input_tokens: count,
    output_tokens: count,
    cache_input_tokens: count,
    cache_creation_input_tokens: count,
    /** Null when a call of one of the replies has no known cost. */
    cost_usd: CostSchema,
    ...audioSums,
  })
  .meta({
    id: "UsageRow",
    description:
      "Sums over replies. A reply counts on the day on which it last ended or began to wait.",
  });
export type UsageRow = z.infer<typeof UsageRowSchema>;
export const UsagePageSchema = pageOf(UsageRowSchema).meta({ id: "UsagePage" });
