// A task that an MCP server has given in place of a result, as clients see it.
import * as z from "zod";

import { TimestampSchema } from "../schemas/common.ts";

/** Its id is not shown: at some servers it is all that its result needs. */
export const McpTaskSchema = z.object({
  /** The server's name. */
  server: z.string(),
  /** As the server said it last. */
  status: z.enum(["working", "input_required", "completed", "failed", "cancelled"]),
  /** The server's words about it, on one line; null when it has said nothing. */
  message: z.string().nullable(),
  /** Until when the call waits for it at most. */
  expires_at: TimestampSchema,
});
export interface McpTask extends Readonly<z.infer<typeof McpTaskSchema>> {}
