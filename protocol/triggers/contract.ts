// Triggers: what begins replies by a schedule, by the webhook of another system, or by hand.
import * as z from "zod";

import { AgentVersionChoiceSchema } from "../agents/agent-version-choice.ts";
import { RotationOverlapSchema } from "../keys/contract.ts";
import { PermissionModeSchema } from "../messages/permission.ts";
import { MAX_REPLY_TOKENS } from "../replies/limits.ts";
import { MAX_MENTIONS } from "../rooms/limits.ts";
import { ParticipantNameSchema } from "../rooms/participants.ts";
import {
  MetadataSchema,
  NameSchema,
  pageOf,
  PageQuerySchema,
  TimestampSchema,
} from "../schemas/common.ts";
import { TimeZoneSchema } from "../sessions/session-settings.ts";
import { MAX_CRON_CHARACTERS, MAX_SENDER_SECRET_CHARACTERS } from "./limits.ts";
import { TriggerEndUserSchema, TriggeredInputSchema, TriggerSessionSchema } from "./run-input.ts";

/** @public */
export const TriggerScheduleSchema = z
  .discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("cron"),
      /** Five fields: minute, hour, day of the month, month, day of the week. */
      expression: z.string().min(1).max(MAX_CRON_CHARACTERS),
      timezone: TimeZoneSchema,
    }),
    z.strictObject({ type: z.literal("once"), run_at: TimestampSchema }),
  ])
  .meta({ id: "TriggerSchedule", description: "When a trigger is due." });
export type TriggerSchedule = z.infer<typeof TriggerScheduleSchema>;

export const WebhookFormSchema = z.enum(["standard", "github", "stripe", "slack"]);
export type WebhookForm = z.infer<typeof WebhookFormSchema>;

const TriggerWebhookCreateSchema = z.strictObject({
  form: WebhookFormSchema,
  /** The sender's own; made by the platform when it is left out. */
  secret: z.string().min(8).max(MAX_SENDER_SECRET_CHARACTERS).optional(),
});

const TriggerPermissionSchema = z.strictObject({ mode: PermissionModeSchema });
const TriggerBudgetSchema = z.strictObject({
  /** Of each reply. */
  max_tokens: z.number().int().min(1).max(MAX_REPLY_TOKENS).optional(),
});
const OverlapSchema = z.enum(["skip", "queue", "allow"]);
const MissedPolicySchema = z.enum(["skip", "run_once", "run_all"]);
const MentionsSchema = z.array(ParticipantNameSchema).max(MAX_MENTIONS);

export const TriggerCreateSchema = z
  .strictObject({
    name: NameSchema,
    /** The one that answers: an agent, each run in a session, or a room. The members of the other one are left out. */
    agent_id: z.string().min(1).max(64).optional(),
    room_id: z.string().min(1).max(64).optional(),
    /** The newest at the start of each run when it is left out. */
    agent_version: AgentVersionChoiceSchema.optional(),
    schedule: TriggerScheduleSchema.optional(),
    webhook: TriggerWebhookCreateSchema.optional(),
    input: TriggeredInputSchema,
    /** Of a room alone: participants who are to speak next, where turns go by mention. */
    mentions: MentionsSchema.optional(),
    /** A new one each time when it is left out. */
    session: TriggerSessionSchema.optional(),
    overlap: OverlapSchema.default("skip"),
    /** `dont_ask` when it is left out. */
    permission: TriggerPermissionSchema.optional(),
    budget: TriggerBudgetSchema.optional(),
    end_user_id: TriggerEndUserSchema.optional(),
    returns_untrusted: z.boolean().default(true),
    missed: MissedPolicySchema.default("skip"),
    metadata: MetadataSchema.default({}),
  })
  .refine(({ agent_id, room_id }) => agent_id === undefined || room_id === undefined, {
    path: ["room_id"],
    message: "a trigger has an agent or a room; make two triggers for both",
  })
  .refine(({ agent_id, room_id }) => agent_id !== undefined || room_id !== undefined, {
    path: ["agent_id"],
    message: "who answers: an agent, or a room by its `room_id`",
  })
  .refine(({ schedule, webhook }) => !(schedule && webhook), {
    path: ["webhook"],
    message: "a trigger has a schedule or a webhook; make two triggers for both",
  })
  .meta({ id: "TriggerCreate" });

export const TriggerUpdateSchema = z
  .strictObject({
    name: NameSchema.optional(),
    agent_version: AgentVersionChoiceSchema.optional(),
    /** Null takes it away: the trigger then runs by hand alone. */
    schedule: TriggerScheduleSchema.nullable().optional(),
    input: TriggeredInputSchema.optional(),
    mentions: MentionsSchema.optional(),
    session: TriggerSessionSchema.optional(),
    overlap: OverlapSchema.optional(),
    permission: TriggerPermissionSchema.optional(),
    budget: TriggerBudgetSchema.nullable().optional(),
    end_user_id: TriggerEndUserSchema.nullable().optional(),
    returns_untrusted: z.boolean().optional(),
    missed: MissedPolicySchema.optional(),
    metadata: MetadataSchema.optional(),
  })
  .meta({ id: "TriggerUpdate", description: "What is left out stays." });

/** Names of a run's failure, and of the reason for which failures have paused a trigger. */
const RUN_ERROR_TYPES = [
  "agent_deleted",
  "agent_version_deleted",
  "credential_deleted",
  "room_deleted",
  "end_user_erased",
  "quota_exceeded",
  "reply_failed",
  "reply_interrupted",
  "exceed_max_iters",
  "discussion_timeout",
  "session_deleted",
  "input_refused",
  "internal",
] as const;

/** @public */
export const RunErrorSchema = z
  .object({ type: z.enum(RUN_ERROR_TYPES), message: z.string() })
  .meta({ id: "TriggerRunError", description: "Why a run has failed." });
export type RunError = z.infer<typeof RunErrorSchema>;
export type RunErrorType = RunError["type"];

/** @public */
export const PausedReasonSchema = z
  .object({
    type: z.enum(["manual", "error", "key_revoked"]),
    /** Of `error` alone: that of the last run, or of the agent or the room. */
    error: RunErrorSchema.optional(),
  })
  .meta({ id: "TriggerPausedReason", description: "Why a trigger is paused." });
export type PausedReason = z.infer<typeof PausedReasonSchema>;

const count = z.number().int().nonnegative();

export const TriggerSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    /** Null for a room, as all that its participants have of their own. */
    agent_id: z.string().nullable(),
    room_id: z.string().nullable(),
    agent_version: AgentVersionChoiceSchema.nullable(),
    schedule: TriggerScheduleSchema.nullable(),
    webhook: z
      .object({
        form: WebhookFormSchema,
        /** The address that the sender posts to. */
        url: z.string(),
        /** Expiry of the secret before the last rotation; null when there is none. */
        old_secret_expires_at: TimestampSchema.nullable(),
      })
      .nullable(),
    input: TriggeredInputSchema,
    mentions: MentionsSchema,
    session: TriggerSessionSchema.nullable(),
    overlap: OverlapSchema,
    permission: TriggerPermissionSchema.nullable(),
    budget: TriggerBudgetSchema.nullable(),
    end_user_id: TriggerEndUserSchema.nullable(),
    returns_untrusted: z.boolean(),
    missed: MissedPolicySchema,
    metadata: MetadataSchema,
    status: z.enum(["active", "paused", "completed"]),
    paused_reason: PausedReasonSchema.nullable(),
    /** The next times of the schedule, also while it is paused. */
    upcoming_runs_at: z.array(TimestampSchema),
    last_run_at: TimestampSchema.nullable(),
    failures_in_row: count,
    missed_runs: count,
    created_by_key_id: z.string().nullable(),
    created_at: TimestampSchema,
    updated_at: TimestampSchema,
  })
  .meta({ id: "Trigger", description: "What begins replies by itself." });
export type Trigger = z.infer<typeof TriggerSchema>;
export type TriggerStatus = Trigger["status"];
export const TriggerPageSchema = pageOf(TriggerSchema).meta({ id: "TriggerPage" });

/** The answers to a creation and to a rotation: of one with a webhook they have its secret. */
export const CreatedTriggerSchema = TriggerSchema.extend({
  webhook: TriggerSchema.shape.webhook.unwrap().extend({ secret: z.string() }).nullable(),
}).meta({ id: "CreatedTrigger", description: "The one answer that shows the secret." });
export type CreatedTrigger = z.infer<typeof CreatedTriggerSchema>;

/** The part of a trigger that says what its runs do; its schedule and policies with it. */
export type TriggerDefinition = Pick<
  Trigger,
  | "name"
  | "agent_id"
  | "room_id"
  | "agent_version"
  | "schedule"
  | "input"
  | "mentions"
  | "session"
  | "overlap"
  | "permission"
  | "budget"
  | "end_user_id"
  | "returns_untrusted"
  | "missed"
>;

export const TriggerListQuerySchema = PageQuerySchema.extend({
  agent_id: z.string().max(64).optional(),
  room_id: z.string().max(64).optional(),
  status: TriggerSchema.shape.status.optional(),
});

export const TriggerSecretRotateSchema = z
  .strictObject({
    overlap_ms: RotationOverlapSchema,
    /** The sender's own; made by the platform when it is left out. */
    secret: TriggerWebhookCreateSchema.shape.secret,
  })
  .meta({ id: "TriggerSecretRotate", description: "How long the old secret stays valid." });

/** @public */
export const TriggerContextSchema = z.discriminatedUnion("type", [
  /** `scheduled_at` is the listed time; the run begins then or some time after it. */
  z.object({ type: z.literal("schedule"), scheduled_at: TimestampSchema }),
  z.object({
    type: z.literal("webhook"),
    sender_id: z.string(),
    /** `sha256:` and 64 hex digits over the bytes that the sender has signed. */
    payload_sha256: z.string(),
  }),
  z.object({ type: z.literal("manual") }),
]);
export type TriggerContext = z.infer<typeof TriggerContextSchema>;

export const TriggerRunSchema = z
  .object({
    id: z.string(),
    trigger_id: z.string(),
    trigger_context: TriggerContextSchema,
    status: z.enum(["pending", "running", "waiting", "succeeded", "failed", "skipped"]),
    skip_reason: z.enum(["overlap", "queue_full"]).nullable(),
    error: RunErrorSchema.nullable(),
    session_id: z.string().nullable(),
    reply_id: z.string().nullable(),
    room_id: z.string().nullable(),
    /** The trigger's message in the room; its discussion is that of the run. */
    message_id: z.string().nullable(),
    created_at: TimestampSchema,
    started_at: TimestampSchema.nullable(),
    ended_at: TimestampSchema.nullable(),
  })
  .meta({ id: "TriggerRun", description: "One time that a trigger has fired." });
export type TriggerRun = z.infer<typeof TriggerRunSchema>;
export type TriggerRunStatus = TriggerRun["status"];
export const TriggerRunPageSchema = pageOf(TriggerRunSchema).meta({ id: "TriggerRunPage" });

export const TriggerRunCreateSchema = z
  .strictObject({
    /** In place of a webhook's payload, for the template of the input and the pointers. */
    payload: z.json().optional(),
  })
  .meta({ id: "TriggerRunCreate", description: "A run by hand; an empty object will do." });

export const TriggerRunQuerySchema = PageQuerySchema.extend({
  status: TriggerRunSchema.shape.status.optional(),
});
