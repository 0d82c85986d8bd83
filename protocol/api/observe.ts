// Messages that the agent is to know of without answering them.
import { z } from "zod";

import type { Msg } from "../messages/messages.ts";
import { ReplyInputSchema } from "./replies.ts";

export const ObserveSchema = z.strictObject({
  /** As the `input` of a reply. */
  messages: ReplyInputSchema,
});
export type Observe = z.infer<typeof ObserveSchema>;

export interface Observed {
  /** As they are stored, in the order of the request. */
  readonly messages: readonly Msg[];
  /** The stream position after them. */
  readonly cursor: number;
}
