// Observe: messages that are added to the conversation without starting a reply.
import * as z from "zod";

import { MsgSchema } from "../messages/messages.ts";
import { ReplyInputSchema } from "../replies/contract.ts";
import { CursorSchema } from "../schemas/common.ts";
import type { Frozen } from "../messages/frozen.ts";

export const ObserveSchema = z.strictObject({
  /** As the `input` of a reply. */
  messages: ReplyInputSchema,
});

export const ObservedSchema = z.object({
  /** The stored messages, in the order of the request. */
  messages: z.array(MsgSchema),
  /** The stream position after them. */
  cursor: CursorSchema,
});
export interface Observed extends Frozen<z.infer<typeof ObservedSchema>> {}
