import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";

import { CopyButton } from "../copy-button.tsx";
import { setTour, useTour } from "./tour-state.ts";
import { TOUR_STEPS, type TourStep } from "./tour-steps.tsx";

/** The tour's step, below the page that it is about, so that it covers nothing of it. Nothing when no tour runs. */
export function TourPanel({ tenantId }: { readonly tenantId: string }) {
  const { status, step, agentId } = useTour(tenantId);
  const index = Math.min(Math.max(0, step), TOUR_STEPS.length - 1);
  const shown = TOUR_STEPS[index];
  if (status !== "running" || agentId === null || !shown) return null;
  const isLast = index === TOUR_STEPS.length - 1;
  const search = shown.link?.to === "/playground" ? { agent: agentId } : { agent_id: agentId };
  return (
    <aside className="tour" aria-label="Tour">
      <div aria-live="polite" className="tour-body">
        <p className="quiet">
          Step {index + 1} of {TOUR_STEPS.length}
        </p>
        <h2>{shown.title}</h2>
        <p>{shown.body}</p>
      </div>
      <StepText step={shown} />
      <div className="tour-actions">
        {shown.link && (
          <Link to={shown.link.to} search={search as never} className="button">
            {shown.link.label}
          </Link>
        )}
        {index > 0 && (
          <button
            type="button"
            className="button"
            onClick={() => setTour(tenantId, { step: index - 1 })}
          >
            Back
          </button>
        )}
        <button
          type="button"
          className="button button-primary"
          onClick={() => setTour(tenantId, isLast ? { status: "done" } : { step: index + 1 })}
        >
          {isLast ? "Done" : "Next"}
        </button>
        <button
          type="button"
          className="button button-icon"
          aria-label="End the tour"
          onClick={() => setTour(tenantId, { status: "dismissed" })}
        >
          <X size={16} aria-hidden />
        </button>
      </div>
    </aside>
  );
}

function StepText({ step: { text } }: { readonly step: TourStep }) {
  if (text === undefined) return null;
  return (
    <div className="tour-text">
      <pre>{text}</pre>
      <CopyButton text={text} what="text of this step" />
    </div>
  );
}
