import type { KeepAnswer, KeptAnswer } from "../../storage/statements/idempotency-storage.ts";
import { keepAnswer, keepAnswerAlone } from "../../storage/statements/idempotency-storage.ts";
import type { AppContext } from "../app-env.ts";

/**
 * What a handler gives to the storage that acts, so that the answer is kept with the act; undefined for a request
 * without a key. @param answer Without secrets: they are shown once.
 */
export function keepFor(context: AppContext, answer: KeptAnswer): KeepAnswer | undefined {
  const claim = context.get("claim");
  return claim && keepAnswer(claim, answer);
}

/**
 * After an act whose parts have keys of their own: the request may be done again, and changes nothing then. Contract:
 * never rejects. What was done stays done, and whoever asks again waits for the lease.
 */
export async function keepRepeatable(context: AppContext): Promise<void> {
  const claim = context.get("claim");
  if (!claim) return;
  try {
    await keepAnswerAlone(context.env.DB, claim, { status: 200, is_repeatable: true });
  } catch (error) {
    console.warn("an Idempotency-Key could not be kept", { error: String(error) });
  }
}
