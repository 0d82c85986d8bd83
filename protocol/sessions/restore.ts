// Restores: a session goes on from the state that it had at a position of its log.
import * as z from "zod";

import { CursorSchema } from "../schemas/common.ts";

export const StateQuerySchema = z.strictObject({
  /** `true` takes the place of what the session has. */
  replace: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .default(false),
});

export const RestoreSchema = z
  .strictObject({
    /** A position of the session's stream: the conversation becomes that of the messages that were complete there. */
    cursor: CursorSchema,
  })
  .meta({ id: "Restore", description: "Where a session goes on." });
export type Restore = z.infer<typeof RestoreSchema>;

export const RestoredSchema = z
  .object({
    /** The stream's position behind the restore, as `If-Match` of the next one takes it. */
    cursor: CursorSchema,
    /** The last message of the conversation; null for an empty one. */
    message_id: z.string().nullable(),
  })
  .meta({ id: "Restored", description: "The conversation as it is now." });
export type Restored = z.infer<typeof RestoredSchema>;
