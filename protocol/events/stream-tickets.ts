// Stream tickets: a credential in the query of one stream's URL, because `EventSource` cannot send headers. URLs end up
// in logs, so a ticket is valid for one stream and for minutes only.
import * as z from "zod";

import { MAX_STREAM_PATH_CHARACTERS } from "../keys/limits.ts";
import { TimestampSchema } from "../schemas/common.ts";

export const StreamTicketCreateSchema = z
  .strictObject({
    /** Path and query of the stream, exactly as they will be requested. */
    path: z
      .string()
      .max(MAX_STREAM_PATH_CHARACTERS)
      .regex(/^\/v1\//, "the path begins with /v1/, and has no host before it"),
  })
  .meta({ id: "StreamTicketCreate", description: "Which stream the ticket is for." });

export const StreamTicketSchema = z
  .object({
    /** The ticket itself. Only this answer contains it. */
    ticket: z.string(),
    /** The requested path with the ticket added. */
    path: z.string(),
    /** The client token whose revocation also ends the ticket. For a ticket minted with an API key, an id of its own. */
    token_id: z.string(),
    expires_at: TimestampSchema,
  })
  .meta({ id: "StreamTicket", description: "The one answer that shows a stream ticket." });
export type StreamTicket = z.infer<typeof StreamTicketSchema>;
