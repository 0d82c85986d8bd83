/** The queue job of a delivery attempt that is due. Its content, URL and state are read from D1. */
export interface WebhookJob {
  readonly tenant_id: string;
  readonly delivery_id: string;
  /** Counts from 1; a repeated job does not repeat an attempt. */
  readonly attempt: number;
  /** A redelivery requested by the tenant: attempted even while the endpoint's circuit is open. */
  readonly is_asked_for?: true;
}
