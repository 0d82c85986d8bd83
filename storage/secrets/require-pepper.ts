import { MIN_PEPPER_CHARACTERS } from "../../protocol/limits/authentication.ts";

/** @throws when the deployment has no pepper, or one that can be guessed: everything signed with it could be forged. */
export function requirePepper(pepper: string): void {
  if (!pepper) throw new Error("the secret KEY_PEPPER is not set");
  if (pepper.length < MIN_PEPPER_CHARACTERS) {
    throw new Error(
      `the secret KEY_PEPPER has fewer than ${MIN_PEPPER_CHARACTERS} characters: set 32 random bytes in base64`,
    );
  }
}
