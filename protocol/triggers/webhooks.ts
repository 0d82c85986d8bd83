// Webhook events of triggers and their runs.
import * as z from "zod";

import { webhookEvent } from "../schemas/webhook-event.ts";

/** Either the agent or the room is null. */
const OF_TRIGGER = {
  trigger_id: z.string(),
  agent_id: z.string().nullable(),
  room_id: z.string().nullable(),
};

const OF_RUN = {
  ...OF_TRIGGER,
  trigger_run_id: z.string(),
  session_id: z.string().nullable(),
  reply_id: z.string().nullable(),
};

const RUN_MEMBERS =
  "`trigger_id`, `agent_id`, `room_id`, `trigger_run_id`, `session_id`, `reply_id`, and none of the common members";

export const TRIGGER_WEBHOOKS = [
  webhookEvent(
    "trigger_run.started",
    {
      when: "the reply of a [trigger's](triggers.md) run has begun, or its message is in the room",
      data: RUN_MEMBERS,
    },
    OF_RUN,
  ),
  webhookEvent(
    "trigger_run.waiting",
    {
      when: "the reply of a run, or its room, waits for a person or an outside system",
      data: RUN_MEMBERS,
    },
    OF_RUN,
  ),
  webhookEvent(
    "trigger_run.succeeded",
    { when: "the reply of a run, or its discussion, has ended", data: RUN_MEMBERS },
    OF_RUN,
  ),
  webhookEvent(
    "trigger_run.failed",
    { when: "a run has failed", data: `${RUN_MEMBERS}; \`error_type\`` },
    { ...OF_RUN, error_type: z.string() },
  ),
  webhookEvent(
    "trigger.paused",
    {
      when: "the platform has paused a trigger: after failures, or because its agent or its room was deleted",
      data: "`trigger_id`, `agent_id`, `room_id`, `error_type`, and none of the common members",
    },
    { ...OF_TRIGGER, error_type: z.string() },
  ),
] as const;
