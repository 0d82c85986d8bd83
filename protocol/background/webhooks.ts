// Webhook events of background tasks.
import * as z from "zod";

import { OF_REPLY, webhookEvent } from "../schemas/webhook-event.ts";

export const BACKGROUND_WEBHOOKS = [
  webhookEvent(
    "task.ended",
    {
      when: "a [background task](background-tools.md) has ended: with a result, without one, or stopped",
      data: "`task_id`, `tool_name`, `tool_call_id`, `task_status`, `paused`; `reply_id` is that of its call, or null between replies",
    },
    {
      ...OF_REPLY,
      /** Null when no reply was open. */
      reply_id: z.string().nullable(),
      task_id: z.string(),
      tool_name: z.string(),
      tool_call_id: z.string(),
      task_status: z.enum(["completed", "failed", "cancelled"]),
      /** Its end begins a reply once a person has said something. */
      paused: z.boolean(),
    },
  ),
] as const;
