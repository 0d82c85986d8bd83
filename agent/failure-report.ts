// Reports of adapters about their calls, beside the chunks that the loop reads.
import type { FailureKind } from "../protocol/diagnostics/contract.ts";

/**
 * Facts of a failure beyond its type, as its adapter knows them, for the tenant's developers alone: no model, message
 * or stream gets them. Texts of others are redacted and bounded by the adapter.
 */
export interface FailureReport {
  readonly kind: FailureKind;
  readonly http_status?: number;
  readonly code?: string;
  /** The other side's own words. */
  readonly message?: string;
  /** The id that the other side gave the request. */
  readonly request_id?: string;
}

/** The destination of a model's calls. */
export interface ModelOrigin {
  readonly provider: string;
  /** Host and port of the endpoint; null for a model without one. */
  readonly host: string | null;
  readonly credential_id: string | null;
}

/** Given to an adapter for one call: told what diagnostics should have of it. */
export interface ModelReporter {
  (found: { readonly finish_reason: string } | { readonly failure: FailureReport }): void;
}

/** As {@link ModelReporter}, of a tool's call. */
export interface ToolReporter {
  (found: { readonly http_status: number } | { readonly failure: FailureReport }): void;
}
