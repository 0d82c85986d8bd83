import type { KeepAnswer, KeptAnswer } from "../../storage/statements/idempotency-storage.ts";
import { keepAnswer, keepAnswerAlone } from "../../storage/statements/idempotency-storage.ts";
import type { AppContext } from "../app-env.ts";

/**
 * The statement that stores an answer under the idempotency key, for the batch of the act; undefined without a key.
 * @param answer Without secrets, which are returned only once.
 */
export function answerStatement(context: AppContext, answer: KeptAnswer): KeepAnswer | undefined {
  const claim = context.get("claim");
  return claim && keepAnswer(claim, answer);
}

/**
 * Marks the idempotency key of an act whose parts are idempotent themselves as repeatable: the request may be executed
 * again. Contract: never rejects. If the write fails, a repeated request waits for the lease to expire.
 */
export async function keepRepeatable(context: AppContext): Promise<void> {
  const claim = context.get("claim");
  if (!claim) return;
  try {
    await keepAnswerAlone(context.env.DB, claim, { status: 200, is_repeatable: true });
  } catch (error) {
    console.warn("idempotency: failed to mark the key as repeatable", { error: String(error) });
  }
}
