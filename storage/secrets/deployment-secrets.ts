// The deployment's secrets from the Worker's bindings, with the values that are also accepted during a rotation.
import type { RotatedSecret } from "./rotated-secret.ts";

export type PepperBindings = Pick<Env, "KEY_PEPPER" | "KEY_PEPPER_PREVIOUS" | "KEY_PEPPER_NEXT">;
export type MasterKeyBindings = Pick<Env, "MASTER_KEY" | "MASTER_KEY_PREVIOUS" | "MASTER_KEY_NEXT">;
type OperatorKeyBindings = Pick<
  Env,
  "OPERATOR_KEY" | "OPERATOR_KEY_PREVIOUS" | "OPERATOR_KEY_NEXT"
>;

export type CardKeyBindings = Pick<Env, "CARD_KEY" | "CARD_KEY_PREVIOUS" | "CARD_KEY_NEXT">;

export function keyPepperOf(env: PepperBindings): RotatedSecret {
  return rotated(env.KEY_PEPPER, env.KEY_PEPPER_PREVIOUS, env.KEY_PEPPER_NEXT);
}

export function masterKeyOf(env: MasterKeyBindings): RotatedSecret {
  return rotated(env.MASTER_KEY, env.MASTER_KEY_PREVIOUS, env.MASTER_KEY_NEXT);
}

export function operatorKeyOf(env: OperatorKeyBindings): RotatedSecret {
  return rotated(env.OPERATOR_KEY, env.OPERATOR_KEY_PREVIOUS, env.OPERATOR_KEY_NEXT);
}

/** Null where the deployment has none yet. */
export function cardKeyOf(env: CardKeyBindings): RotatedSecret | null {
  if (!env.CARD_KEY) return null;
  return rotated(env.CARD_KEY, env.CARD_KEY_PREVIOUS, env.CARD_KEY_NEXT);
}

/**
 * The HMAC key that derives a session's id from its thread's name. Threads live for years, so it never changes:
 * THREAD_KEY or, while that is not set, the pepper that the platform started with.
 * docs/decisions/2026-11-22-rotating-secrets.md says why it need not be rotated.
 */
export function threadKeyOf(env: PepperBindings & Pick<Env, "THREAD_KEY">): string {
  const { current, previous } = keyPepperOf(env);
  return env.THREAD_KEY || (isPepperRolledBack(env) ? current : (previous ?? current));
}

/** Whether a rotation of the pepper was rolled back: the announced next value is now the previous one. */
export function isPepperRolledBack(env: PepperBindings): boolean {
  const { previous } = keyPepperOf(env);
  return previous !== undefined && previous === env.KEY_PEPPER_NEXT;
}

/** Ignores empty values and duplicates. */
function rotated(
  current: string,
  previous: string | undefined,
  next: string | undefined,
): RotatedSecret {
  const isOther = (value: string | undefined) => Boolean(value) && value !== current;
  return {
    current,
    ...(isOther(previous) && { previous }),
    ...(isOther(next) && next !== previous && { next }),
  };
}
