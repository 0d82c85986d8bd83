/** A registered symbol, so that two copies of the SDK in one app recognise each other's errors. */
const BRAND = Symbol.for("reprise.WebhookVerificationError");

/** The webhook is not authentic or too old: answer it with 400 or 401 and ignore it. */
export class WebhookVerificationError extends Error {
  readonly [BRAND] = true;
  override readonly name: string = "WebhookVerificationError";
  readonly reason:
    | "headers_missing"
    | "timestamp_out_of_range"
    | "signature_mismatch"
    | "body_not_json";

  constructor(reason: WebhookVerificationError["reason"], detail: string) {
    super(`${reason}: ${detail}`);
    this.reason = reason;
  }

  /** Use this instead of `instanceof`, which fails across copies and versions of the package. */
  static isInstance(value: unknown): value is WebhookVerificationError {
    return value instanceof Object && BRAND in value;
  }
}
