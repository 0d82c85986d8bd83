// Stream tickets: what stands in the address of one stream, because `EventSource` sends no headers. Addresses are kept in
// logs, so it is worth little: that stream, for minutes.
import { z } from "zod";

import { MAX_STREAM_PATH_CHARACTERS } from "../limits/authentication.ts";
import { TimestampSchema } from "./schemas/common.ts";

export const StreamTicketCreateSchema = z.strictObject({
  /** Path and query of the stream, as it will be asked for. */
  path: z
    .string()
    .max(MAX_STREAM_PATH_CHARACTERS)
    .regex(/^\/v1\//, "the path begins with /v1/, and has no host before it"),
});
export type StreamTicketCreate = z.input<typeof StreamTicketCreateSchema>;

export const StreamTicketSchema = z.object({
  /** The ticket itself. It is shown this once. */
  ticket: z.string(),
  /** The path that was asked about, with the ticket in it. */
  path: z.string(),
  /** The client token that it ends with. One that an API key has minted has a token of its own. */
  token_id: z.string(),
  expires_at: TimestampSchema,
});
export type StreamTicket = z.infer<typeof StreamTicketSchema>;
