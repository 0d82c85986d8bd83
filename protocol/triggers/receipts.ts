// Answers to the senders of a trigger's webhooks. They are told nothing of the session.
import * as z from "zod";

export const TriggerReceiptSchema = z
  .object({
    trigger_run_id: z.string(),
    /** False when the delivery was taken before. */
    applied: z.boolean(),
  })
  .meta({ id: "TriggerReceipt", description: "A delivery that was taken." });
export type TriggerReceipt = Readonly<z.infer<typeof TriggerReceiptSchema>>;

export const TriggerChallengeSchema = z
  .object({ challenge: z.string() })
  .meta({ id: "TriggerChallenge", description: "The challenge of a sender, repeated." });
