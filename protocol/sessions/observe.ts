// Observe: messages that are added to the conversation without starting a reply.
import { z } from "zod";

import type { Msg } from "../messages/messages.ts";
import { ReplyInputSchema } from "../replies/contract.ts";

export const ObserveSchema = z.strictObject({
  /** As the `input` of a reply. */
  messages: ReplyInputSchema,
});

export interface Observed {
  /** The stored messages, in the order of the request. */
  readonly messages: readonly Msg[];
  /** The stream position after them. */
  readonly cursor: number;
}
