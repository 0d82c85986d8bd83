// The reason that a sign-in cannot be done, in the platform's words: it becomes a result of a tool, and goes to logs.
import * as oauth from "oauth4webapi";

import { BodyTooBig } from "../body.ts";
import { OutgoingRefused } from "../outgoing.ts";

/** Thrown by the sign-in of servers, and caught there. The message holds no word of a server, and no secret. */
export class OAuthFailure extends Error {
  override readonly name = "OAuthFailure";
  /** The authorization server refuses the grant itself: it has to be asked for again. */
  readonly isRefused: boolean;

  constructor(message: string, isRefused = false) {
    super(message);
    this.isRefused = isRefused;
  }
}

/** @param doing Such as `register a client`. */
export function toOAuthFailure(error: unknown, doing: string): OAuthFailure {
  if (error instanceof OAuthFailure) return error;
  const failed = (reason: string, isRefused = false) =>
    new OAuthFailure(`the authorization server could not ${doing}: ${reason}`, isRefused);
  if (error instanceof oauth.ResponseBodyError) {
    const code = /^[a-z_]{1,40}$/.test(error.error) ? error.error : "an error";
    return failed(`it answered ${code}`, GRANT_REFUSED.has(error.error));
  }
  if (OutgoingRefused.isInstance(error)) return failed(`its address is refused: ${error.message}`);
  if (error instanceof BodyTooBig) return failed("its answer is too large");
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return failed("it did not answer in time");
  }
  if (error instanceof oauth.AuthorizationResponseError) return failed("the sign-in was refused");
  if (error instanceof oauth.OperationProcessingError) return failed("its answer is not allowed");
  return failed("it could not be reached, or did not answer as it should");
}

const GRANT_REFUSED: ReadonlySet<string> = new Set(["invalid_grant"]);

/** The rest of a sentence about an MCP server. */
export function problemOfGrant(error: unknown): string {
  return `cannot be asked: ${toOAuthFailure(error, "be asked").message}`;
}
