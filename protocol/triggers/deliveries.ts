// Answers to the senders of a trigger's webhooks. They are told nothing of the session.
import * as z from "zod";

export const TriggerDeliverySchema = z
  .object({
    trigger_run_id: z.string(),
    /** False when the delivery was taken before. */
    applied: z.boolean(),
  })
  .meta({ id: "TriggerDelivery", description: "A delivery that was taken." });
export type TriggerDelivery = Readonly<z.infer<typeof TriggerDeliverySchema>>;

export const TriggerChallengeSchema = z
  .object({ challenge: z.string() })
  .meta({ id: "TriggerChallenge", description: "The challenge of a sender, repeated." });
