/** A POST of the playground as it left the page. */
export interface SentRequest {
  /** Path with its query, beginning with `/v1/`. */
  readonly path: string;
  /** Null for a request without a body. */
  readonly body: Readonly<Record<string, unknown>> | null;
}
