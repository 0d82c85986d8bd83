import type { FailureKind } from "../diagnostics/contract.ts";

/** The reason that the catalogue of an MCP server could not be read, as it is remembered for a while. */
export interface CatalogueFailure {
  readonly kind: FailureKind;
  readonly http_status?: number;
  /** The sentence, which names the server and holds none of its words. */
  readonly reason: string;
  /** The server's own words, redacted. */
  readonly message?: string;
}
