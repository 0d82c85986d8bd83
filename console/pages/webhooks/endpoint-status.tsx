import type { WebhookEndpoint } from "../../../sdk/index.ts";

const REASONS = {
  tenant: "disabled",
  gone: "disabled: it answered 410",
  failing: "disabled: it failed for days",
} as const;

/** Whether an endpoint gets messages; if not, why. */
export function EndpointStatus({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { disabled, disabled_reason, circuit, failing_since } = endpoint;
  if (disabled) {
    return (
      <span className="badge" data-tone={disabled_reason === "tenant" ? "quiet" : "bad"}>
        {REASONS[disabled_reason ?? "tenant"]}
      </span>
    );
  }
  if (circuit !== "closed") {
    return (
      <span className="badge" data-tone="bad">
        {circuit === "open" ? "paused: it fails" : "paused: is tried again"}
      </span>
    );
  }
  if (failing_since !== null) {
    return (
      <span className="badge" data-tone="waiting">
        failing
      </span>
    );
  }
  return (
    <span className="badge" data-tone="good">
      active
    </span>
  );
}
