// Query parameters of the AG-UI routes.
import * as z from "zod";

import { AG_UI_PROFILES } from "./ag-ui-profile.ts";
import { MAX_THREAD_ID_CHARACTERS } from "./limits.ts";

/** Whether the stream also carries the log's own events: as `RAW`, or as the member `rawEvent` of what is made of them. */
export const RawEventsSchema = z
  .enum(["true", "member", "false"])
  .default("false")
  .transform((text) => (text === "member" ? text : text === "true"));

/** The version of AG-UI in which a stream is written. */
export const AgUiProfileSchema = z.enum(AG_UI_PROFILES);

/** Other parameters are ignored: some clients add their own to the configured address. */
export const AgUiRunQuerySchema = z.object({
  raw: RawEventsSchema,
  /** With an API key: the end user of a named thread, given by its first run and the same in all others. */
  end_user_id: z.string().min(1).max(200).optional(),
});

export const AgUiJoinQuerySchema = z.strictObject({
  /** Same as `threadId` of a run: a session's id, or a name that the client chose. */
  thread_id: z.string().min(1).max(MAX_THREAD_ID_CHARACTERS),
  /** The id of the last frame received; without it and without `Last-Event-ID` the stream begins with a snapshot. */
  after: z.string().optional(),
  follow: z.enum(["session"]).optional(),
  raw: RawEventsSchema,
  /** The newest one when left out. A run needs none: it names its version in its body. */
  profile: AgUiProfileSchema.optional(),
  token: z.string().optional(),
});
