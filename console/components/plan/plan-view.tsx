import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ListChecks, Pencil, Plus, Trash2 } from "lucide-react";
import { useEffect } from "react";

import type { SessionPlan } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { EmptyState } from "../empty-state.tsx";
import { ErrorState } from "../error-state.tsx";
import { DangerDialog } from "../danger-dialog.tsx";
import { FormDialog } from "../forms/form-dialog.tsx";
import { LoadingState } from "../loading-state.tsx";
import { PlanCard } from "./plan-card.tsx";
import { PlanEditor } from "./plan-editor.tsx";

interface PlanViewProps {
  readonly sessionId: string;
  /** When it moves, the plan may be another. */
  readonly cursor: number | string;
}

/** The plan of a session and the earlier ones; people give it one here, and change it while the agent works. */
export function PlanView({ sessionId, cursor }: PlanViewProps) {
  const reprise = useReprise();
  const queries = useQueryClient();
  const queryKey = ["plan", sessionId];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => reprise.session(sessionId).plan(),
  });
  useEffect(() => void refetch(), [cursor, refetch]);
  const reload = () => void queries.invalidateQueries({ queryKey });
  if (error && !data) return <ErrorState error={error} onRetry={reload} />;
  if (!data) return <LoadingState label="Loading the plan…" />;
  const earlier = data.history.toReversed();
  return (
    <div className="plan-view">
      <PlanActions sessionId={sessionId} current={data} onChanged={reload} />
      {data.is_suspended && (
        <p role="status" className="notice">
          The reply that worked on it was interrupted. The next one goes on when the user wants it.
        </p>
      )}
      {data.plan ? <PlanCard plan={data.plan} /> : <NoPlanYet />}
      {earlier.length > 0 && (
        <section aria-label="Earlier plans" className="plan-history">
          <h2>Earlier plans</h2>
          {earlier.map((plan) => (
            <details key={plan.id} className="aside-block">
              <summary>
                {plan.name} <span className="quiet">{plan.state.replaceAll("_", " ")}</span>
              </summary>
              <PlanCard plan={plan} />
            </details>
          ))}
        </section>
      )}
    </div>
  );
}

interface PlanActionsProps {
  readonly sessionId: string;
  readonly current: SessionPlan;
  readonly onChanged: () => void;
}

function PlanActions({ sessionId, current: { plan, version }, onChanged }: PlanActionsProps) {
  const reprise = useReprise();
  if (!useMay("replies:write")) return null;
  const editor = (isNew: boolean) => (close: () => void) => (
    <PlanEditor
      sessionId={sessionId}
      plan={isNew ? null : plan}
      version={version}
      onSaved={onChanged}
      onClose={close}
    />
  );
  return (
    <div className="button-row">
      {plan && (
        <FormDialog
          title="Edit the plan"
          trigger={
            <button type="button" className="button">
              <Pencil size={16} aria-hidden />
              Edit
            </button>
          }
        >
          {editor(false)}
        </FormDialog>
      )}
      <FormDialog
        title="Give a new plan"
        trigger={
          <button type="button" className={plan ? "button" : "button button-primary"}>
            <Plus size={16} aria-hidden />
            New plan
          </button>
        }
      >
        {editor(true)}
      </FormDialog>
      {plan && (
        <DangerDialog
          title="Take the plan away?"
          action="Take it away"
          button={{ text: "Take away", icon: Trash2 }}
          onConfirm={async () => {
            await reprise.session(sessionId).setPlan(null, { ifVersion: version });
            onChanged();
          }}
        >
          <p>It goes to the earlier plans. When it is open, it is abandoned.</p>
        </DangerDialog>
      )}
    </div>
  );
}

function NoPlanYet() {
  return (
    <EmptyState icon={ListChecks} title="No plan now">
      <p>
        An agent with a <code>plan</code> in its definition makes one when its work takes several
        steps. You can also give it one here.
      </p>
      <p>
        <a href="/docs/plans">Read about plans</a>
      </p>
    </EmptyState>
  );
}
