/** A registered symbol, so that two copies of the SDK in one app recognise each other's errors. */
const BRAND = Symbol.for("reprise.ConnectionError");

/** No valid answer arrived: no network, a cut, a timeout, or an answer that is not the platform's. */
export class ConnectionError extends Error {
  readonly [BRAND] = true;
  override readonly name: string = "ConnectionError";
  /** Always true: the request was not refused. */
  readonly retryable = true;

  /** @param cause What the runtime threw, if anything. */
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }

  /** Use this instead of `instanceof`, which fails across copies and versions of the package. */
  static isInstance(value: unknown): value is ConnectionError {
    return value instanceof Object && BRAND in value;
  }
}
