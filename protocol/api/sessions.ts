// Sessions: one conversation of one end user with one agent.
import { z } from "zod";

import type { PendingCall } from "./replies.ts";
import { MetadataSchema, PageQuerySchema } from "./common.ts";

export const SessionCreateSchema = z.strictObject({
  agent_id: z.string().min(1),
  /** The tenant's own id of the person. */
  end_user_id: z.string().min(1).max(200).optional(),
  metadata: MetadataSchema.default({}),
});
export type SessionCreate = z.infer<typeof SessionCreateSchema>;

export const SessionListQuerySchema = PageQuerySchema.extend({
  agent_id: z.string().max(200).optional(),
  end_user_id: z.string().max(200).optional(),
});
export type SessionListQuery = z.infer<typeof SessionListQuerySchema>;

export const SessionStatusSchema = z.enum([
  "idle",
  "running",
  "awaiting_permission",
  "awaiting_external_result",
]);
export type SessionStatus = z.infer<typeof SessionStatusSchema>;

/** What every answer about a session holds. */
export interface SessionSummary {
  readonly id: string;
  readonly agent_id: string;
  readonly agent_version: number;
  readonly end_user_id: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly created_at: string;
}

/** One session in full: what its object knows at this moment. */
export interface Session extends SessionSummary {
  readonly status: SessionStatus;
  /** The reply that runs or waits, or null. */
  readonly reply_id: string | null;
  readonly pending: readonly PendingCall[];
  /** The last stream position that is visible. */
  readonly cursor: number;
}
