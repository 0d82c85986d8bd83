import { HttpError } from "../http-error.ts";

/**
 * The refusal of a client token that lacks a verb.
 * @param wanted Verbs of which one would do.
 */
export function verbMissing(wanted: readonly string[]): HttpError {
  return new HttpError("verb_missing", `the client token lacks the verb ${wanted.join(" or ")}`, {
    extensions: { required_verb: wanted[0] },
  });
}

/** The refusal of a token whose issuer lacks a verb. */
export function issuerVerbMissing(verb: string): HttpError {
  return new HttpError("verb_missing", `the token's issuer was registered without ${verb}`, {
    extensions: { required_verb: verb },
  });
}
