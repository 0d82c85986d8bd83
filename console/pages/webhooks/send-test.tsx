import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Send } from "lucide-react";

import type { WebhookEndpoint } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { failureText } from "../../components/failure-text.ts";
import { DeliveryBadge } from "./delivery-badge.tsx";
import { deliveriesKey, deliveryKey } from "./delivery-keys.ts";

/** Milliseconds between two looks at a test that is on its way. */
const LOOK_MS = 1_000;

/** Sends a test message, and says what the receiver answered. */
export function SendTest({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const reprise = useReprise();
  const queries = useQueryClient();
  const test = useMutation({
    mutationFn: () => reprise.webhookEndpoints.test(endpoint.id),
    onSuccess: () => queries.invalidateQueries({ queryKey: deliveriesKey(endpoint.id) }),
  });
  const id = test.data?.id;
  const { data: delivery } = useQuery({
    queryKey: deliveryKey(endpoint.id, id ?? ""),
    enabled: id !== undefined,
    queryFn: () => reprise.webhookEndpoints.delivery(endpoint.id, id ?? ""),
    // Until the first attempt: those after it take hours.
    refetchInterval: ({ state }) => (state.data?.attempts.length ? false : LOOK_MS),
  });
  const last = delivery?.attempts.at(-1);
  return (
    <section className="button-row" aria-label="Test">
      <button
        type="button"
        className="button"
        disabled={test.isPending || endpoint.disabled}
        onClick={() => test.mutate()}
      >
        <Send size={16} aria-hidden />
        Send a test
      </button>
      <span role="status">
        {test.error && <span className="field-error">{failureText(test.error)}</span>}
        {delivery && !last && "On its way…"}
        {delivery && last && (
          <>
            <DeliveryBadge status={last.error === null ? "delivered" : "failed"} />{" "}
            {last.error ?? `answered ${last.status}`} in {last.duration_ms} ms
          </>
        )}
      </span>
    </section>
  );
}
