// An end user as a whole: the removal of all that a tenant holds of one, and its export.
import * as z from "zod";

import { StoredFileSchema } from "../files/contract.ts";
import { ConnectionSchema } from "../mcp/connections.ts";
import { MemorySchema, MemoryVersionSchema } from "../memory/contract.ts";
import { MsgSchema } from "../messages/messages.ts";
import { TimestampSchema } from "../schemas/common.ts";
import { RoomSummarySchema } from "../rooms/contract.ts";
import { SessionSummarySchema } from "../sessions/contract.ts";
import { TriggerSchema } from "../triggers/contract.ts";
import { UsageRowSchema } from "../usage/contract.ts";

export const EndUserRemovalSchema = z
  .object({
    end_user_id: z.string(),
    /** Data from then or before is erased. */
    requested_at: TimestampSchema,
  })
  .meta({
    id: "EndUserRemoval",
    description: "The removal of an end user. The answer is the same for one that is not known.",
  });
export type EndUserRemoval = z.infer<typeof EndUserRemovalSchema>;

export const EndUserExportQuerySchema = z.object({
  /** `next_page` of the last line of the page before. */
  page: z.string().max(1_000).optional(),
});

/** One line of an export. @public */
export const EndUserExportLineSchema = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("connection"), connection: ConnectionSchema }),
    z.object({ type: z.literal("usage"), usage: UsageRowSchema }),
    z.object({ type: z.literal("trigger"), trigger: TriggerSchema }),
    z.object({
      type: z.literal("memory"),
      memory_store_id: z.string(),
      agent_id: z.string(),
      /** Null for one that was deleted. */
      memory: MemorySchema.nullable(),
      versions: z.array(MemoryVersionSchema),
    }),
    z.object({ type: z.literal("room"), room: RoomSummarySchema }),
    /** A message of the end user. */
    z.object({ type: z.literal("room_message"), room_id: z.string(), message: MsgSchema }),
    z.object({ type: z.literal("session"), session: SessionSummarySchema }),
    /** A task of A2A in the session: what it has said is among the messages. */
    z.object({
      type: z.literal("a2a_task"),
      session_id: z.string(),
      task: z.object({
        id: z.string(),
        context_id: z.string(),
        state: z.string(),
        status_at: TimestampSchema,
        created_at: TimestampSchema,
      }),
    }),
    z.object({ type: z.literal("message"), session_id: z.string(), message: MsgSchema }),
    z.object({ type: z.literal("file"), session_id: z.string(), file: StoredFileSchema }),
    z.object({
      type: z.literal("end"),
      /** Null when all was exported; else the `page` of the next request. */
      next_page: z.string().nullable(),
    }),
  ])
  .meta({
    id: "EndUserExportLine",
    description:
      "One line of an export. The last line is of type `end`; an export without it was cut off.",
  });
export type EndUserExportLine = z.infer<typeof EndUserExportLineSchema>;
