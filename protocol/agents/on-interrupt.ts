// The text of a reply that a user has interrupted.
import * as z from "zod";

import { MAX_INTERRUPT_TEXT_CHARACTERS } from "../replies/limits.ts";

const text = z.string().min(1).max(MAX_INTERRUPT_TEXT_CHARACTERS);

export const OnInterruptSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("none") }),
  z.strictObject({ type: z.literal("text"), text }),
  /** One short model call without tools. The platform's own instructions when left out. */
  z.strictObject({ type: z.literal("model"), instructions: text.optional() }),
]);
export type OnInterrupt = z.infer<typeof OnInterruptSchema>;
