const TONES: Readonly<Record<string, string>> = {
  delivered: "good",
  pending: "waiting",
  failed: "bad",
};

/** The state of a delivery. */
export function DeliveryBadge({ status }: { readonly status: string }) {
  return (
    <span className="badge" data-tone={TONES[status] ?? "quiet"}>
      {status}
    </span>
  );
}
