// The author of a proof of thinking (a signature, or an encrypted thought): it is valid for its author only.
import { shortHash } from "../stream/short-hash.ts";

/**
 * A short hash of model, endpoint and credential: a proof is valid for these only. 32 bits suffice to tell models
 * apart.
 */
export function proofAuthor(parts: readonly (string | undefined)[]): string {
  return shortHash(JSON.stringify(parts));
}
