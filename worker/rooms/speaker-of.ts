import type { AppContext } from "../app-env.ts";
import { HttpError } from "../http-error.ts";

/**
 * The person who speaks: of a client token its own participant alone, of an API key the one that the request names.
 * @returns undefined where the room finds the person. @throws HttpError 403 for a token that would speak as another one.
 */
export function speakerOf(context: AppContext, named: string | undefined): string | undefined {
  const principal = context.get("principal");
  if (principal.kind !== "room_token") return named;
  const { participant } = principal;
  if (participant !== null && (named === undefined || named === participant)) return participant;
  throw new HttpError(
    "insufficient_scope",
    participant === null
      ? "the client token speaks as nobody"
      : `the client token speaks as ${participant} alone`,
    { errors: [{ pointer: "#/participant", detail: "this is not the token's participant" }] },
  );
}
