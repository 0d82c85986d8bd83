// Settings of an agent as an A2A server, and the messages of its endpoints for the API's document. What clients send is read
// by other files of this room.
import * as z from "zod";

import {
  MAX_A2A_SKILL_CHARACTERS,
  MAX_A2A_SKILL_ENTRIES,
  MAX_A2A_SKILLS,
  MAX_A2A_TAG_CHARACTERS,
} from "./limits.ts";

const TagSchema = z.string().trim().min(1).max(MAX_A2A_TAG_CHARACTERS);
const ModesSchema = z.array(TagSchema).min(1).max(MAX_A2A_SKILL_ENTRIES);

const A2aCardSkillSchema = z
  .strictObject({
    id: TagSchema,
    name: z.string().trim().min(1).max(200),
    description: z.string().trim().min(1).max(MAX_A2A_SKILL_CHARACTERS),
    tags: z.array(TagSchema).min(1).max(MAX_A2A_SKILL_ENTRIES),
    examples: z
      .array(z.string().trim().min(1).max(MAX_A2A_SKILL_CHARACTERS))
      .max(MAX_A2A_SKILL_ENTRIES)
      .optional(),
    input_modes: ModesSchema.optional(),
    output_modes: ModesSchema.optional(),
  })
  .meta({ id: "A2aCardSkill", description: "One thing that the agent's card says it can do." });

/** The agent's `a2a`: whether agents of other systems may talk to it, and what its card says. */
export const A2aSettingsSchema = z
  .strictObject({
    enabled: z.boolean(),
    description: z.string().trim().min(1).max(MAX_A2A_SKILL_CHARACTERS).optional(),
    /** One skill, made of the agent's name and description, when left out. */
    card_skills: z
      .array(A2aCardSkillSchema)
      .min(1)
      .max(MAX_A2A_SKILLS)
      .refine((skills) => new Set(skills.map(({ id }) => id)).size === skills.length, {
        message: "two skills have the same id",
      })
      .optional(),
    /** Whether the card is shown without a credential; false when left out. */
    public_card: z.boolean().optional(),
  })
  .meta({ id: "A2aSettings", description: "An agent as a server of A2A." });
export type A2aSettings = z.infer<typeof A2aSettingsSchema>;

export const A2aRpcRequestSchema = z
  .looseObject({
    jsonrpc: z.literal("2.0"),
    id: z.union([z.string(), z.number()]).optional(),
    method: z.string(),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: "A2aRpcRequest", description: "A request of JSON-RPC 2.0 with a method of A2A." });

export const A2aRpcAnswerSchema = z
  .looseObject({
    jsonrpc: z.literal("2.0"),
    id: z.union([z.string(), z.number()]).nullable(),
    result: z.record(z.string(), z.unknown()).optional(),
    error: z
      .object({ code: z.number().int(), message: z.string(), data: z.unknown().optional() })
      .optional(),
  })
  .meta({ id: "A2aRpcAnswer", description: "An answer of JSON-RPC 2.0: a result or an error." });

export const A2aSendRequestSchema = z
  .looseObject({
    message: z.record(z.string(), z.unknown()),
    configuration: z.record(z.string(), z.unknown()).optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: "A2aSendRequest", description: "SendMessageRequest of A2A 1.0." });

export const A2aShownTaskSchema = z
  .looseObject({
    id: z.string(),
    contextId: z.string(),
    status: z.looseObject({ state: z.string() }),
  })
  .meta({ id: "A2aTask", description: "Task of A2A 1.0." });

export const A2aSendAnswerSchema = z
  .looseObject({ task: A2aShownTaskSchema.optional() })
  .meta({ id: "A2aSendAnswer", description: "SendMessageResponse of A2A 1.0: the task." });

export const A2aStreamAnswerSchema = z
  .looseObject({
    task: A2aShownTaskSchema.optional(),
    statusUpdate: z.record(z.string(), z.unknown()).optional(),
    artifactUpdate: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: "A2aStreamAnswer", description: "StreamResponse of A2A 1.0: one frame." });

export const A2aTaskListSchema = z
  .object({
    tasks: z.array(A2aShownTaskSchema),
    nextPageToken: z.string(),
    pageSize: z.number().int(),
    totalSize: z.number().int(),
  })
  .meta({ id: "A2aTaskList", description: "ListTasksResponse of A2A 1.0." });

export const A2aListQuerySchema = z.object({
  contextId: z.string().optional(),
  status: z.string().optional(),
  pageSize: z.string().optional(),
  pageToken: z.string().optional(),
  historyLength: z.string().optional(),
  statusTimestampAfter: z.string().optional(),
  includeArtifacts: z.string().optional(),
});

export const A2aHistoryQuerySchema = z.object({ historyLength: z.string().optional() });

export const A2aConfigsQuerySchema = z.object({
  pageSize: z.string().optional(),
  pageToken: z.string().optional(),
});

export const A2aShownConfigSchema = z
  .looseObject({
    tenant: z.string().max(0).optional(),
    id: z.string().optional(),
    taskId: z.string().optional(),
    url: z.string(),
    token: z.string().optional(),
    authentication: z
      .looseObject({ scheme: z.string(), credentials: z.string().optional() })
      .optional(),
  })
  .meta({ id: "A2aPushConfig", description: "TaskPushNotificationConfig of A2A 1.0." });

export const A2aShownConfigsSchema = z
  .object({ configs: z.array(A2aShownConfigSchema), nextPageToken: z.string() })
  .meta({ id: "A2aPushConfigList", description: "The push notification configs of a task." });

/** Members as AgentCard of A2A 1.0 has them. */
export const A2aShownCardSchema = z
  .looseObject({
    name: z.string(),
    description: z.string(),
    version: z.string(),
    supportedInterfaces: z.array(z.record(z.string(), z.unknown())),
    skills: z.array(z.record(z.string(), z.unknown())),
  })
  .meta({ id: "A2aCard", description: "AgentCard of A2A 1.0." });

export const A2aKeysSchema = z
  .object({ keys: z.array(z.record(z.string(), z.unknown())) })
  .meta({ id: "A2aKeys", description: "A JWK set: the public keys of cards." });

/** google.rpc.Status, as the binding HTTP+JSON has it. */
export const A2aStatusSchema = z
  .object({
    error: z.object({
      code: z.number().int(),
      status: z.string(),
      message: z.string(),
      details: z.array(z.record(z.string(), z.unknown())),
    }),
  })
  .meta({ id: "A2aFailure", description: "google.rpc.Status: an error of A2A." });
