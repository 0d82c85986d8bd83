// A new session that begins with another one's conversation.
import { z } from "zod";

import { MAX_MESSAGE_ID_CHARACTERS } from "../limits/requests.ts";
import { AgentVersionChoiceSchema } from "./schemas/agent-version-choice.ts";
import { MetadataSchema } from "./schemas/common.ts";

export const ForkCreateSchema = z.strictObject({
  /**
   * The last message that is copied, by its id, or a position of the source's stream: then every message that was
   * complete there. All that is complete when left out.
   */
  at: z
    .union([z.string().min(1).max(MAX_MESSAGE_ID_CHARACTERS), z.number().int().nonnegative()])
    .optional(),
  /** The source's when left out, as the two below. */
  metadata: MetadataSchema.optional(),
  end_user_id: z.string().min(1).max(200).nullable().optional(),
  agent_version: AgentVersionChoiceSchema.optional(),
});
export type ForkCreate = z.infer<typeof ForkCreateSchema>;

/** Where a session's conversation was copied from. The source may be gone since. */
export interface ForkedFrom {
  readonly session_id: string;
  /** The last message that was copied; null when there was none. */
  readonly message_id: string | null;
  /** The position of the source's stream up to which it was read. */
  readonly cursor: number;
}
