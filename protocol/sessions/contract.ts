// Sessions: one conversation of one end user with one agent.
import * as z from "zod";

import { MsgSchema } from "../messages/messages.ts";
import { CostSchema } from "../schemas/money.ts";
import { PermissionModeSchema } from "../messages/permission.ts";
import { AgentVersionChoiceSchema } from "../agents/agent-version-choice.ts";
import {
  CursorSchema,
  MetadataSchema,
  NameSchema,
  pageOf,
  PageQuerySchema,
  TimestampSchema,
} from "../schemas/common.ts";
import { ForkedFromSchema } from "./fork.ts";
import { ReplyFailureSchema } from "./reply-failure.ts";
import { PendingCallSchema } from "../replies/contract.ts";
import { MAX_END_USER_ID_CHARACTERS } from "../end-users/limits.ts";
import { MAX_TITLE_CHARACTERS } from "./limits.ts";
import { MAX_SEARCH_CHARACTERS } from "../search/limits.ts";
import { WarningSchema } from "../warning.ts";
import type { Frozen } from "../messages/frozen.ts";
import { SessionToolsSchema } from "../tool-groups/contract.ts";
import {
  SessionPermissionSchema,
  SessionPermissionUpdateSchema,
  TimeZoneSchema,
  WorkingDirectoriesSchema,
} from "./session-settings.ts";

export type { AgentVersionChoice } from "../agents/agent-version-choice.ts";

/** A line for lists. Left out, the first words of the first user message are shown in its place. */
export const TitleSchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_TITLE_CHARACTERS)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, "a title is one line, without control characters");

/** Above every session's cost, and still exact in billionths. */
const MAX_FILTERED_COST_USD = 1_000_000;

export const SessionCreateSchema = z
  .strictObject({
    agent_id: z.string().min(1),
    /** When left out, the agent's current version, fixed for the session's lifetime. */
    agent_version: AgentVersionChoiceSchema.optional(),
    /** The tenant's id for the end user. */
    end_user_id: z.string().min(1).max(MAX_END_USER_ID_CHARACTERS).optional(),
    title: TitleSchema.optional(),
    metadata: MetadataSchema.default({}),
    /** Requires `permission_rules:write`, as do the working directories. */
    permission: SessionPermissionSchema.optional(),
    /** Directories in which `accept_edits` allows file changes without a confirmation. */
    working_directories: WorkingDirectoriesSchema.optional(),
    /** The session's own tools, beside its agent's. Require `agents:write`. */
    tools: SessionToolsSchema.optional(),
    /** The agent is told the local time of this zone at the start of each reply. */
    time_zone: TimeZoneSchema.optional(),
  })
  .meta({ id: "SessionCreate" });
export type SessionCreate = z.infer<typeof SessionCreateSchema>;

/**
 * Members that are left out stay unchanged. Version, tools and time zone take effect with the next reply. Permission and
 * directories also apply to a waiting reply, and cannot be changed while a reply runs.
 */
export const SessionUpdateSchema = z
  .strictObject({
    agent_version: AgentVersionChoiceSchema.optional(),
    metadata: MetadataSchema.optional(),
    /** Null: the first words of the conversation again. */
    title: TitleSchema.nullable().optional(),
    permission: SessionPermissionUpdateSchema.optional(),
    working_directories: WorkingDirectoriesSchema.optional(),
    /** All of the session's own tools; an empty list removes them. */
    tools: SessionToolsSchema.optional(),
    /** Null: the agent is not told the time. */
    time_zone: TimeZoneSchema.nullable().optional(),
  })
  .meta({ id: "SessionUpdate" });
export type SessionUpdate = z.infer<typeof SessionUpdateSchema>;

/** @public */
export const SessionStatusSchema = z.enum([
  "idle",
  "running",
  "awaiting_permission",
  "awaiting_external_result",
]);
export type SessionStatus = z.infer<typeof SessionStatusSchema>;

/** `waiting` is either of the two states that wait; `failed` an idle session whose last reply has failed. */
const SessionFilterStatusSchema = z.enum([...SessionStatusSchema.options, "waiting", "failed"]);
export type SessionFilterStatus = z.infer<typeof SessionFilterStatusSchema>;

export const SessionListQuerySchema = PageQuerySchema.extend({
  /** Words of titles and first messages. */
  search: z.string().min(1).max(MAX_SEARCH_CHARACTERS).optional(),
  agent_id: z.string().max(200).optional(),
  /** The whole name of the agent's newest version. */
  agent_name: NameSchema.optional(),
  end_user_id: z.string().max(200).optional(),
  /** Sessions of agents that replies of this session have called. */
  parent_session_id: z.string().max(200).optional(),
  /** Sessions of the participants of this room, also of those who have left. */
  room_id: z.string().max(64).optional(),
  status: SessionFilterStatusSchema.optional(),
  /** Sessions whose known cost is at least this much. */
  min_cost_usd: z.coerce.number().nonnegative().max(MAX_FILTERED_COST_USD).optional(),
  /** Sessions opened at this moment or later. */
  created_after: TimestampSchema.optional(),
  /** Sessions opened before this moment. */
  created_before: TimestampSchema.optional(),
});
export type SessionListQuery = z.infer<typeof SessionListQuerySchema>;

/** The fields common to all session answers. @public */
export const SessionSummarySchema = z
  .object({
    id: z.string(),
    agent_id: z.string(),
    /** The agent version of the last reply, or of the next one if a change is pending. */
    agent_version: z.number().int().positive(),
    /** Whether each reply uses the agent's newest version. */
    follows_latest: z.boolean(),
    end_user_id: z.string().nullable(),
    title: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    created_at: TimestampSchema,
    /** In lists, the status when a reply last ended or began to wait; of `status=running`, `running`. */
    status: SessionStatusSchema,
    /** Null for a session that began empty. */
    forked_from: ForkedFromSchema.nullable(),
    /** The session whose reply has called this one's agent; null for one that a request has opened. */
    parent_session_id: z.string().nullable(),
    /** The room whose participant speaks in it; null for all others. */
    room_id: z.string().nullable(),
    failure: ReplyFailureSchema.nullable(),
    cost_usd: CostSchema,
  })
  .meta({
    id: "SessionSummary",
    description:
      "A session in a list. Its status is as of the last time that a reply ended or began to wait.",
  });
export interface SessionSummary extends Frozen<z.infer<typeof SessionSummarySchema>> {}
export const SessionPageSchema = pageOf(SessionSummarySchema)
  .extend({
    /** Of a list with `search`: whether all sessions are in the index by now. */
    search_complete: z.boolean().optional(),
  })
  .meta({ id: "SessionPage" });
export interface SessionPage extends Frozen<z.infer<typeof SessionPageSchema>> {}

/** One session in full, as its object reports it now. */
export const SessionSchema = SessionSummarySchema.omit({ failure: true, cost_usd: true })
  .extend({
    /** The reply that runs or waits, or null. */
    reply_id: z.string().nullable(),
    /** Replies that wait for their turn, in order. */
    queued_reply_ids: z.array(z.string()),
    pending: z.array(PendingCallSchema),
    /** The last stream position that is visible. */
    cursor: CursorSchema,
    /** The effective mode: the session's own, or its agent's. */
    permission: z.object({ mode: PermissionModeSchema }),
    working_directories: z.array(z.string()),
    time_zone: z.string().nullable(),
  })
  .meta({
    id: "Session",
    description: "One conversation of one end user with one agent, at this moment.",
  });
export interface Session extends Frozen<z.infer<typeof SessionSchema>> {}

/** The answer to a write. */
export const WrittenSessionSchema = SessionSchema.extend({
  /** Left out when there are none. */
  warnings: z.array(WarningSchema).optional(),
}).meta({
  id: "WrittenSession",
  description: "A session as a write has left it, with what says nothing of its rules and tools.",
});
export interface WrittenSession extends Frozen<z.infer<typeof WrittenSessionSchema>> {}

/** A message of the conversation, and the position that it is folded to. */
export const ReadMessageSchema = z
  .object({
    message: MsgSchema,
    /** The stream position of this version of the message: read events `after` it. */
    cursor: CursorSchema,
  })
  .meta({
    id: "FoldedMsg",
    description: "A message and the stream position that it is folded to.",
  });
export interface StoredMessage extends Frozen<z.infer<typeof ReadMessageSchema>> {}

export const MessagePageSchema = pageOf(MsgSchema)
  .extend({
    /** The stream position of this page. */
    cursor: CursorSchema,
  })
  .meta({ id: "MsgPage" });
export interface MessagePage extends Frozen<z.infer<typeof MessagePageSchema>> {}
