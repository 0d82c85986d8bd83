// Reading a session's events.
import { z } from "zod";

import { PageQuerySchema } from "./common.ts";

/** `limit` counts for pages only; `follow` for streams only. */
export const EventsQuerySchema = PageQuerySchema.extend({
  /** Events above this seq; `Last-Event-ID` and `page` win over it. */
  after: z.string().optional(),
  /** Only this reply's events; its stream ends with it. */
  reply_id: z.string().optional(),
  /** `session` keeps the stream open between replies. */
  follow: z.enum(["session"]).optional(),
});
export type EventsQuery = z.infer<typeof EventsQuerySchema>;
