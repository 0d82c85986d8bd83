// What stands in the addresses of AG-UI's routes.
import { z } from "zod";

import { MAX_THREAD_ID_CHARACTERS } from "../../limits/ag-ui.ts";

/** Whether the log's own events come along, as `RAW`. */
export const RawEventsSchema = z
  .enum(["true", "false"])
  .default("false")
  .transform((text) => text === "true");

/** Other members are the client's own: some put theirs into the address that they are given. */
export const AgUiRunQuerySchema = z.object({ raw: RawEventsSchema });

export const AgUiJoinQuerySchema = z.strictObject({
  /** As `threadId` of a run: a session's id, or a name of the client's own. */
  thread_id: z.string().min(1).max(MAX_THREAD_ID_CHARACTERS),
  /** The id of the last frame that arrived; without it, and without `Last-Event-ID`, the stream begins with a snapshot. */
  after: z.string().optional(),
  follow: z.enum(["session"]).optional(),
  raw: RawEventsSchema,
  token: z.string().optional(),
});
