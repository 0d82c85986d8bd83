// The failure of a session's last reply, as lists of sessions show it.
import * as z from "zod";

import { ErrorInfoSchema } from "../messages/messages.ts";
import { TimestampSchema } from "../schemas/common.ts";
import type { Frozen } from "../messages/frozen.ts";

export const ReplyFailureSchema = z
  .object({
    reply_id: z.string(),
    status: z.enum(["error", "exceed_max_iters"]),
    error: ErrorInfoSchema.nullable(),
    failed_at: TimestampSchema,
  })
  .meta({ id: "ReplyFailure", description: "How the last reply of a session has failed." });
export interface ReplyFailure extends Frozen<z.infer<typeof ReplyFailureSchema>> {}
