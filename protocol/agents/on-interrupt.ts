// The text of a reply that a user has interrupted.
import * as z from "zod";

import { MAX_INTERRUPT_TEXT_CHARACTERS } from "../replies/limits.ts";

const text = z.string().min(1).max(MAX_INTERRUPT_TEXT_CHARACTERS);

export const OnInterruptSchema = z
  .discriminatedUnion("type", [
    z
      .strictObject({ type: z.literal("none") })
      .meta({ id: "OnInterruptNone", description: "The reply says nothing." }),
    z
      .strictObject({ type: z.literal("text"), text })
      .meta({ id: "OnInterruptText", description: "The reply says this text." }),
    /** One short model call without tools. The platform's own instructions when left out. */
    z.strictObject({ type: z.literal("model"), instructions: text.optional() }).meta({
      id: "OnInterruptModel",
      description: "The reply says what its model says in one short call without tools.",
    }),
  ])
  .meta({ id: "OnInterrupt" });
export type OnInterrupt = z.infer<typeof OnInterruptSchema>;
