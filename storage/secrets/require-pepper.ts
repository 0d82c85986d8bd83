import { MIN_PEPPER_CHARACTERS } from "../../protocol/keys/limits.ts";

/** @throws when the pepper is not set or is too short: a guessed pepper would let an attacker forge signatures. */
export function requirePepper(pepper: string): void {
  if (!pepper) throw new Error("the secret KEY_PEPPER is not set");
  if (pepper.length < MIN_PEPPER_CHARACTERS) {
    throw new Error(
      `the secret KEY_PEPPER has fewer than ${MIN_PEPPER_CHARACTERS} characters: set 32 random bytes in base64`,
    );
  }
}
