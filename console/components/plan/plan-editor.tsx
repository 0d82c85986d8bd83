import { Plus } from "lucide-react";
import { useState } from "react";

import { useReprise } from "../../access/access-context.ts";
import { TextField } from "../forms/fields.tsx";
import { DialogForm } from "../forms/form-dialog.tsx";
import { draftOf, moved, stepOf, type Plan, type StepDraft } from "./plan-draft.ts";
import { StepFields } from "./step-fields.tsx";

interface PlanEditorProps {
  readonly sessionId: string;
  /** Null for a new one. */
  readonly plan: Plan | null;
  /** The plans' version when the form was opened. */
  readonly version: number;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** A plan and its steps. It is written over the version that was read alone: what the agent did meanwhile is not lost. */
export function PlanEditor({ sessionId, plan, version, onSaved, onClose }: PlanEditorProps) {
  const reprise = useReprise();
  // The state that was read when the form was opened, however often the page reads it again.
  const [read] = useState({ plan, version });
  const [name, setName] = useState(plan?.name ?? "");
  const [outcome, setOutcome] = useState(plan?.expected_outcome ?? "");
  const [steps, setSteps] = useState<readonly StepDraft[]>(
    () => plan?.subtasks.map((step) => draftOf(step)) ?? [draftOf()],
  );
  const change = (index: number, step: StepDraft) => setSteps(steps.with(index, step));

  async function save(): Promise<void> {
    const subtasks = steps.map(stepOf);
    const written = { name: name.trim(), expected_outcome: outcome, subtasks };
    const known = read.plan && { id: read.plan.id, description: read.plan.description };
    await reprise.session(sessionId).setPlan({ ...known, ...written }, { ifVersion: read.version });
    onSaved();
    onClose();
  }

  return (
    <DialogForm action="Save the plan" onSubmit={save} onCancel={onClose}>
      <TextField label="Name" value={name} onChange={setName} isRequired />
      <TextField
        label="Expected outcome"
        hint="What there is when all of it is done."
        value={outcome}
        onChange={setOutcome}
      />
      <ol className="plan-drafts" aria-label="Steps of the plan">
        {steps.map((step, index) => (
          <StepFields
            key={step.key}
            number={index + 1}
            isLast={index === steps.length - 1}
            step={step}
            onChange={(next) => change(index, next)}
            onMove={(by) => setSteps(moved(steps, index, by))}
            onRemove={() => setSteps(steps.filter((_, at) => at !== index))}
          />
        ))}
      </ol>
      <button type="button" className="button" onClick={() => setSteps([...steps, draftOf()])}>
        <Plus size={16} aria-hidden />
        Add a step
      </button>
    </DialogForm>
  );
}
