import { ConsoleFailure } from "../access/console-failure.ts";
import { hasPasskeys, NoPasskeys } from "../access/passkeys.ts";
import { sentenceOf } from "../components/failure-text.ts";

/** Why a sign-in did not work, as a sentence for the person. */
export function signInFailure(error: unknown): string {
  if (error instanceof ConsoleFailure) return sentenceOf(error.detail);
  if (error instanceof NoPasskeys) {
    return "This address cannot have passkeys, because it is an IP address. Ask an owner for a link.";
  }
  // Without them, asking for one fails in many ways.
  if (!hasPasskeys()) return "This browser cannot use passkeys here: take a newer one, over https.";
  if (error instanceof DOMException) {
    return "No passkey was given: you have none for this console, or stopped. Try again.";
  }
  return UNREACHABLE;
}

const UNREACHABLE = "The platform cannot be reached. Try again in a moment.";

/** As {@link signInFailure}, of a sign-in at a provider. */
export function providerFailure(error: unknown): string {
  return error instanceof ConsoleFailure ? sentenceOf(error.detail) : UNREACHABLE;
}
