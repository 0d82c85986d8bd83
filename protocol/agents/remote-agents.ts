// The agents of other systems that an agent has, as they are found now: what their cards say, or why they cannot be asked.
import * as z from "zod";

import { FailureKindSchema } from "../diagnostics/contract.ts";
import { TimestampSchema } from "../schemas/common.ts";
import type { Frozen } from "../messages/frozen.ts";

const RemoteSkillSchema = z
  .object({ id: z.string(), name: z.string(), description: z.string() })
  .meta({ id: "RemoteSkill", description: "A thing that an agent's card says it can do." });

const RemoteCardSchema = z
  .object({
    name: z.string(),
    description: z.string(),
    version: z.string(),
    protocol_version: z.enum(["1.0", "0.3"]),
    binding: z.enum(["JSONRPC", "HTTP+JSON"]),
    url: z.string(),
    streaming: z.boolean(),
    push_notifications: z.boolean(),
    is_signed: z.boolean().nullable(),
    skills: z.array(RemoteSkillSchema),
    skill_count: z.number().int().nonnegative(),
  })
  .meta({ id: "RemoteCard", description: "The card of an agent of another system, in short." });

/** @public */
export const RemoteAgentViewSchema = z
  .object({
    tool_name: z.string().nullable(),
    source: z.enum(["url", "inline", "file", "nacos"]),
    source_name: z.string().nullable(),
    duration_ms: z.number().int().nonnegative(),
    card: RemoteCardSchema.nullable(),
    failure: z
      .object({
        kind: FailureKindSchema,
        http_status: z.number().int().nullable(),
        note: z.string(),
        hint: z.string().nullable(),
      })
      .nullable(),
    last_failure: z
      .object({
        kind: FailureKindSchema,
        http_status: z.number().int().nullable(),
        failed_at: TimestampSchema,
      })
      .nullable(),
  })
  .meta({ id: "RemoteAgentView", description: "An agent of another system, as it is found now." });
export interface RemoteAgentView extends Frozen<z.infer<typeof RemoteAgentViewSchema>> {}

export const RemoteAgentListSchema = z
  .object({ data: z.array(RemoteAgentViewSchema) })
  .meta({ id: "RemoteAgentList", description: "The agents of other systems that an agent has." });
export interface RemoteAgentList extends Frozen<z.infer<typeof RemoteAgentListSchema>> {}
