// Sessions: one conversation of one end user with one agent.
import { z } from "zod";

import type { PermissionMode } from "../messages/permission.ts";
import { AgentVersionChoiceSchema } from "./schemas/agent-version-choice.ts";
import { MetadataSchema, PageQuerySchema, TimestampSchema } from "./schemas/common.ts";
import type { ForkedFrom } from "./fork.ts";
import type { PendingCall } from "./replies.ts";
import {
  SessionPermissionSchema,
  SessionPermissionUpdateSchema,
  TimeZoneSchema,
  WorkingDirectoriesSchema,
} from "./session-settings.ts";

export type { AgentVersionChoice } from "./schemas/agent-version-choice.ts";

export const SessionCreateSchema = z.strictObject({
  agent_id: z.string().min(1),
  /** The agent's current version when left out, for good. */
  agent_version: AgentVersionChoiceSchema.optional(),
  /** The tenant's own id of the person. */
  end_user_id: z.string().min(1).max(200).optional(),
  metadata: MetadataSchema.default({}),
  /** Needs `permission_rules:write`, as the directories do. */
  permission: SessionPermissionSchema.optional(),
  /** In which `accept_edits` lets files be changed without asking. */
  working_directories: WorkingDirectoriesSchema.optional(),
  /** Tells the agent the time there at the beginning of each reply. */
  time_zone: TimeZoneSchema.optional(),
});
export type SessionCreate = z.infer<typeof SessionCreateSchema>;

/**
 * What is left out stays as it is; a version and a time zone take effect with the next reply. Permission and
 * directories hold for a reply that waits too, and are refused while one runs.
 */
export const SessionUpdateSchema = z.strictObject({
  agent_version: AgentVersionChoiceSchema.optional(),
  metadata: MetadataSchema.optional(),
  permission: SessionPermissionUpdateSchema.optional(),
  working_directories: WorkingDirectoriesSchema.optional(),
  /** Null tells the agent no time. */
  time_zone: TimeZoneSchema.nullable().optional(),
});
export type SessionUpdate = z.infer<typeof SessionUpdateSchema>;

export const SessionStatusSchema = z.enum([
  "idle",
  "running",
  "awaiting_permission",
  "awaiting_external_result",
]);
export type SessionStatus = z.infer<typeof SessionStatusSchema>;

export const SessionListQuerySchema = PageQuerySchema.extend({
  agent_id: z.string().max(200).optional(),
  end_user_id: z.string().max(200).optional(),
  status: SessionStatusSchema.optional(),
  /** Sessions opened at this moment or later. */
  created_after: TimestampSchema.optional(),
  /** Sessions opened before this moment. */
  created_before: TimestampSchema.optional(),
});
export type SessionListQuery = z.infer<typeof SessionListQuerySchema>;

/** What every answer about a session holds. */
export interface SessionSummary {
  readonly id: string;
  readonly agent_id: string;
  /** The version of the last reply or, where a change of it has not taken effect yet, of the next. */
  readonly agent_version: number;
  /** Whether each reply takes the agent's newest version. */
  readonly follows_latest: boolean;
  readonly end_user_id: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly created_at: string;
  /** In lists as of the last time that a reply ended or began to wait: `running` is seen on the session itself. */
  readonly status: SessionStatus;
  /** Null for a session that began empty. */
  readonly forked_from: ForkedFrom | null;
}

/** One session in full: what its object knows at this moment. */
export interface Session extends SessionSummary {
  /** The reply that runs or waits, or null. */
  readonly reply_id: string | null;
  /** Replies that wait for their turn, in order. */
  readonly queued_reply_ids: readonly string[];
  readonly pending: readonly PendingCall[];
  /** The last stream position that is visible. */
  readonly cursor: number;
  /** The mode that holds: the session's own, or its agent's. */
  readonly permission: { readonly mode: PermissionMode };
  readonly working_directories: readonly string[];
  readonly time_zone: string | null;
}
