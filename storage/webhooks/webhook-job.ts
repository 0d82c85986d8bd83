/** What the queue carries: that an attempt is due. What to send, where and whether stands in D1. */
export interface WebhookJob {
  readonly tenant_id: string;
  readonly delivery_id: string;
  /** Counts from 1; an attempt that was made is not made for this job again. */
  readonly attempt: number;
  /** Somebody has asked for it: it is made though the endpoint's circuit is open. */
  readonly is_asked_for?: true;
}
