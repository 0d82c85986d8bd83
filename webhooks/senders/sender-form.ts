// A way in which systems of others sign the webhooks that they send, and say which delivery is which.
import type { ErrorCode } from "../../protocol/errors.ts";

/** A request to a trigger's address, read whole. */
export interface ReceivedDelivery {
  readonly headers: Headers;
  /** The body as it was sent. */
  readonly text: string;
}

/** A part of a webhook that its form needs and that is not there, as a sentence for its sender. */
export interface MalformedDelivery {
  readonly type: "malformed";
  readonly code: Extract<ErrorCode, "malformed_json" | "input_too_deep" | "validation_failed">;
  readonly detail: string;
}

/** The verdict about a delivery's signature. */
export type Verification =
  | { readonly type: "valid" }
  /** Signed by one that has the secret, too long ago or too far ahead. */
  | { readonly type: "untimely" }
  /** Headers are missing or unreadable, or no signature fits. */
  | { readonly type: "invalid" };

/** The content of a delivery with a good signature. */
export type DeliveryContent =
  | {
      readonly type: "event";
      /** The sender's id of it: a repeated delivery has the same. */
      readonly sender_id: string;
      readonly payload: unknown;
    }
  /** A trial of the address, which begins nothing. */
  | { readonly type: "ping" }
  /** A trial whose text the answer has to repeat. */
  | { readonly type: "challenge"; readonly challenge: string }
  | MalformedDelivery;

export interface SenderForm {
  /** The problem of a secret that a tenant gives, as a sentence that begins behind its name; null for a good one. */
  findSecretProblem(secret: string): string | null;
  makeSecret(): string;
  /**
   * Compares in constant time, over the text as it was sent.
   * @param secrets One, or two during a rotation. Those that are no secrets of this form fit nothing.
   */
  verify(
    delivery: ReceivedDelivery,
    secrets: readonly string[],
    nowMs: number,
  ): Promise<Verification>;
  /** Only of a delivery that was verified. */
  read(delivery: ReceivedDelivery): DeliveryContent;
}
