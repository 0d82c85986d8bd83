// Sessions: one conversation of one end user with one agent.
import { z } from "zod";

import type { PendingCall } from "./replies.ts";
import { MetadataSchema, PageQuerySchema, TimestampSchema } from "./common.ts";

/** A version's number, or whatever is the newest at the start of each reply. */
const AgentVersionChoiceSchema = z.union([z.number().int().positive(), z.literal("latest")]);
export type AgentVersionChoice = z.infer<typeof AgentVersionChoiceSchema>;

export const SessionCreateSchema = z.strictObject({
  agent_id: z.string().min(1),
  /** The agent's current version when left out, for good. */
  agent_version: AgentVersionChoiceSchema.optional(),
  /** The tenant's own id of the person. */
  end_user_id: z.string().min(1).max(200).optional(),
  metadata: MetadataSchema.default({}),
});
export type SessionCreate = z.infer<typeof SessionCreateSchema>;

/** What is left out stays as it is; a version takes effect with the next reply. */
export const SessionUpdateSchema = z.strictObject({
  agent_version: AgentVersionChoiceSchema.optional(),
  metadata: MetadataSchema.optional(),
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
}

/** One session in full: what its object knows at this moment. */
export interface Session extends SessionSummary {
  /** The reply that runs or waits, or null. */
  readonly reply_id: string | null;
  readonly pending: readonly PendingCall[];
  /** The last stream position that is visible. */
  readonly cursor: number;
}
