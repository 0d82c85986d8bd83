import * as z from "zod";

/** The statuses with which a reply ends. */
export const ReplyEndSchema = z.enum(["completed", "interrupted", "exceed_max_iters", "error"]);
export type ReplyEnd = z.infer<typeof ReplyEndSchema>;
