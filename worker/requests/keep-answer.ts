import type { KeepAnswer, KeptAnswer } from "../../storage/requests/idempotency-storage.ts";
import { keepAnswer, keepAnswerAlone } from "../../storage/requests/idempotency-storage.ts";
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
 * Before an act that is done elsewhere and at most once: from now on a repeated request is under way until `untilMs`
 * (Unix milliseconds), and gets `answer` after that, unless {@link keepOutcome} has replaced it. @throws when D1 fails:
 * then the act must not be begun.
 */
export async function keepUnknown(
  context: AppContext,
  answer: KeptAnswer,
  untilMs: number,
): Promise<void> {
  const claim = context.get("claim");
  if (claim) await keepAnswerAlone(context.env.DB, claim, { ...answer, in_flight_until: untilMs });
}

/** Contract: never rejects. If the write fails, a repeated request gets what {@link keepUnknown} has kept. */
export async function keepOutcome(context: AppContext, answer: KeptAnswer): Promise<void> {
  const claim = context.get("claim");
  if (!claim) return;
  try {
    await keepAnswerAlone(context.env.DB, claim, answer);
  } catch (error) {
    console.warn("idempotency: failed to keep an outcome", { error: String(error) });
  }
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
