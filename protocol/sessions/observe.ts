// Observe: messages that are added to the conversation without starting a reply.
import * as z from "zod";

import { MsgSchema } from "../messages/messages.ts";
import { ReplyInputSchema } from "../replies/contract.ts";
import { CursorSchema } from "../schemas/common.ts";
import { ToldEventsSchema } from "../told/told-event.ts";
import type { Frozen } from "../messages/frozen.ts";

export const ObserveSchema = z
  .strictObject({
    /** As the `input` of a reply. */
    messages: ReplyInputSchema.optional(),
    events: ToldEventsSchema.optional(),
  })
  .refine(({ messages, events }) => messages !== undefined || events !== undefined, {
    message: "give messages, events or both",
    path: ["messages"],
  })
  .meta({
    id: "Observe",
    description:
      "Messages for the agent's context, and events for the session's readers, without a reply.",
  });

export const ObservedSchema = z
  .object({
    /** The stored messages, in the order of the request. */
    messages: z.array(MsgSchema),
    /** The stream position after them. */
    cursor: CursorSchema,
  })
  .meta({
    id: "Observed",
    description: "The added messages, and the stream's position after them.",
  });
export interface Observed extends Frozen<z.infer<typeof ObservedSchema>> {}
