// The end of an exchange with an MCP server.
import type { FailureKind } from "../../protocol/diagnostics/contract.ts";
import type { CatalogueFailure } from "../../protocol/mcp/catalogue-failure.ts";
import type { McpError, McpMessageIn } from "../../protocol/mcp/read-messages.ts";

/** A message of a server before its response. */
export type McpNotice = Extract<McpMessageIn, { kind: "notification" | "request" }>;

export type McpOutcome =
  | {
      readonly type: "result";
      readonly result: Readonly<Record<string, unknown>>;
      /** The session that the server has opened with it; null when it has none. */
      readonly sessionId: string | null;
    }
  | { readonly type: "accepted" }
  /** The server refuses the request, in the protocol's own terms. */
  | { readonly type: "refused"; readonly status: number; readonly error: McpError }
  /** The server refuses the request in the terms of HTTP. */
  | {
      readonly type: "http";
      readonly status: number;
      /** The beginning of the body. */
      readonly text: string;
      /** The server's demand at 401 and 403; sign-in begins with it. */
      readonly challenge: string | null;
    }
  | McpBroken;

/** There is no answer: nobody knows whether the server has acted. */
export interface McpBroken {
  readonly type: "broken";
  readonly kind: FailureKind;
  /** A sentence without its subject, such as `did not answer within 5000 ms`. */
  readonly reason: string;
  /** The request was not sent, because a person has to sign in first. */
  readonly needsSignIn?: boolean;
  /** The connection was closed before any byte of an answer: it may have been closed before the request came. */
  readonly isClosedUnanswered?: boolean;
  /** The beginning of an answer that is no message of the protocol; left out where there was none. */
  readonly said?: string;
}

/** The request may be made again where a second one has no other effect. */
export function isUnanswered(outcome: McpOutcome): boolean {
  return outcome.type === "broken" && outcome.isClosedUnanswered === true;
}

export type McpResultOf<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: McpFailure };

/** For the model and the tenant: what a server did in place of answering. */
export interface McpFailure extends CatalogueFailure {
  /** Of a refusal in the protocol's own terms. */
  readonly code?: number;
  /**
   * The server has taken nothing of this request, because it wants a sign-in: the failure itself proves it. A request whose
   * fate is not known never has it, whatever was refused beside it.
   */
  readonly needs_sign_in?: true;
}
