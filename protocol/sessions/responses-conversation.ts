// Response schemas of the routes on a whole conversation, for the OpenAPI document. Not used for validation at run
// time.
import { z } from "zod";

import { MsgSchema } from "../messages/messages.ts";

const cursor = z.number().int().nonnegative();

export const ForkedFromSchema = z.object({
  session_id: z.string(),
  message_id: z.string().nullable(),
  cursor,
});

export const ObservedSchema = z.object({ messages: z.array(MsgSchema), cursor });
