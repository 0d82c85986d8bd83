// Webhook events of a session's plan.
import * as z from "zod";

import { OF_REPLY, webhookEvent } from "../schemas/webhook-event.ts";
import { PlanStepStateSchema } from "./plan.ts";

const count = z.number().int().nonnegative();

export const PLAN_WEBHOOKS = [
  webhookEvent(
    "plan.updated",
    {
      when: "the [plan](plans.md) of a session was changed, by the agent or by people",
      data: "`plan_id`, `plan_state`, `version`, `subtasks` (how many are in each state); `reply_id` is null between replies",
    },
    {
      ...OF_REPLY,
      /** Null for a change by people between replies. */
      reply_id: z.string().nullable(),
      /** The current plan, or, when there is none now, the one that has ended. */
      plan_id: z.string(),
      plan_state: PlanStepStateSchema,
      /** The number of changes so far; messages may arrive in another order. */
      version: z.number().int().positive(),
      /** Numbers of the plan's subtasks by state. */
      subtasks: z.object({ todo: count, in_progress: count, done: count, abandoned: count }),
    },
  ),
] as const;
