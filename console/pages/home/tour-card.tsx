import { useNavigate } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { useState } from "react";

import { useMay, useReprise } from "../../access/access-context.ts";
import { findRefundDesk } from "../../components/tour/find-refund-desk.ts";
import { setTour, useTour } from "../../components/tour/tour-state.ts";

/** Offers the tour until it is dismissed or done; then it leaves a small button. */
export function TourCard({ tenantId }: { readonly tenantId: string }) {
  const reprise = useReprise();
  const navigate = useNavigate();
  const { status } = useTour(tenantId);
  const mayPlay = [useMay("agents:write"), useMay("sessions:write"), useMay("replies:write")];
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  // A console that changes nothing cannot play it.
  if (mayPlay.includes(false) || status === "running") return null;

  async function start(): Promise<void> {
    setIsBusy(true);
    setFailure(null);
    try {
      const { id } = await findRefundDesk(reprise);
      setTour(tenantId, { agentId: id, step: 0, status: "running" });
      await navigate({ to: "/playground", search: { agent: id } as never });
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
      setIsBusy(false);
    }
  }

  const begin = (
    <button
      type="button"
      className={status === "new" ? "button button-primary" : "button"}
      disabled={isBusy}
      onClick={() => void start()}
    >
      {isBusy ? "One moment…" : status === "new" ? "Start the tour" : "Take the tour again"}
    </button>
  );
  return (
    <>
      {status === "new" ? (
        <section className="tour-card" aria-label="The tour">
          <Compass size={28} aria-hidden />
          <div>
            <h2>See it work in three minutes</h2>
            <p>
              You play the refund desk of a shop: text that streams, a refund that asks you first, a
              result from outside, and a network that is cut without loss. It makes the example
              agent “Refund desk” in this tenant, unless there is one.
            </p>
            <div className="form-actions">
              {begin}
              <button
                type="button"
                className="button"
                onClick={() => setTour(tenantId, { status: "dismissed" })}
              >
                Not now
              </button>
            </div>
          </div>
        </section>
      ) : (
        <div>{begin}</div>
      )}
      {failure !== null && (
        <p role="alert" className="field-error">
          {failure}
        </p>
      )}
    </>
  );
}
