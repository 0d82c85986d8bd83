import { Circle, CircleCheck, CircleDot, CircleSlash } from "lucide-react";

import { StatusBadge } from "../status-badge.tsx";
import { TimeStamp } from "../time-stamp.tsx";
import type { Plan, Subtask } from "./plan-draft.ts";

const ICONS = {
  todo: Circle,
  in_progress: CircleDot,
  done: CircleCheck,
  abandoned: CircleSlash,
} as const;

/** A plan with its steps and how far each has come. All of its texts may be a model's. */
export function PlanCard({ plan }: { readonly plan: Plan }) {
  const { name, description, expected_outcome, outcome, state, subtasks, created_at } = plan;
  const ended = subtasks.filter((step) => step.state === "done" || step.state === "abandoned");
  return (
    <article className="plan-card" aria-label={`Plan ${name}`}>
      <header>
        <h3>{name}</h3>
        <StatusBadge status={state} />
        <span className="quiet">
          {ended.length} of {subtasks.length} steps · made <TimeStamp at={created_at} />
        </span>
      </header>
      {subtasks.length > 0 && (
        <progress
          value={ended.length}
          max={subtasks.length}
          aria-label={`Steps of ${name} that are done or abandoned`}
        />
      )}
      {description !== "" && <p className="plain-text">{description}</p>}
      {expected_outcome !== "" && (
        <p className="plain-text">
          <span className="quiet">Expected: </span>
          {expected_outcome}
        </p>
      )}
      {outcome !== null && (
        <p className="plain-text">
          <span className="quiet">Outcome: </span>
          {outcome}
        </p>
      )}
      <ol className="plan-steps" aria-label={`Steps of ${name}`}>
        {subtasks.map((step) => (
          <Step key={step.id} step={step} />
        ))}
      </ol>
    </article>
  );
}

function Step({ step }: { readonly step: Subtask }) {
  const { name, description, expected_outcome, state, outcome, acceptance, owner } = step;
  const Icon = ICONS[state];
  return (
    <li className="plan-step" data-state={state}>
      <Icon size={18} aria-hidden />
      <div>
        <p>
          <strong>{name}</strong> <StatusBadge status={state} />
          {owner !== null && <span className="quiet"> {owner}</span>}
        </p>
        {description !== "" && <p className="plain-text">{description}</p>}
        {expected_outcome !== "" && (
          <p className="plain-text quiet">Expected: {expected_outcome}</p>
        )}
        {acceptance && (
          <p className="plain-text quiet">
            {acceptance.kind === "person" ? "A person accepts it" : "The model checks it"} (
            {acceptance.state}): {acceptance.criteria}
          </p>
        )}
        {outcome !== null && <p className="plain-text plan-outcome">{outcome}</p>}
      </div>
    </li>
  );
}
