// Forks: a new session that starts with a copy of another one's conversation.
import * as z from "zod";

import { MAX_MESSAGE_ID_CHARACTERS } from "../requests/limits.ts";
import { AgentVersionChoiceSchema } from "../agents/agent-version-choice.ts";
import { CursorSchema, MetadataSchema } from "../schemas/common.ts";

export const ForkCreateSchema = z
  .strictObject({
    /**
     * The last message to copy, by id; or a position of the source's stream, for every message complete at that point.
     * All complete messages when left out.
     */
    at: z
      .union([z.string().min(1).max(MAX_MESSAGE_ID_CHARACTERS), z.number().int().nonnegative()])
      .optional(),
    /** Copied from the source when left out, as the next two. */
    metadata: MetadataSchema.optional(),
    end_user_id: z.string().min(1).max(200).nullable().optional(),
    agent_version: AgentVersionChoiceSchema.optional(),
  })
  .meta({
    id: "ForkCreate",
    description: "Settings of the new session that differ from its source.",
  });
export type ForkCreate = z.infer<typeof ForkCreateSchema>;

/** The source of a fork. It may have been deleted since. */
export const ForkedFromSchema = z
  .object({
    session_id: z.string(),
    /** The last message that was copied; null when there was none. */
    message_id: z.string().nullable(),
    /** The position of the source's stream up to which it was read. */
    cursor: CursorSchema,
  })
  .meta({
    id: "ForkedFrom",
    description:
      "Where a session's conversation was copied from. The source may have been erased since.",
  });
export interface ForkedFrom extends Readonly<z.infer<typeof ForkedFromSchema>> {}
