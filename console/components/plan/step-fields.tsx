import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";

import { ChoiceField, TextField } from "../forms/fields.tsx";
import { IconButton } from "../forms/icon-button.tsx";
import type { StepDraft } from "./plan-draft.ts";

const STATES = [
  ["todo", "To do"],
  ["in_progress", "In progress"],
  ["done", "Done"],
  ["abandoned", "Abandoned"],
] as const;

const ACCEPTED_BY = [
  ["", "Nobody"],
  ["model", "The model, by criteria"],
  ["person", "A person, by criteria"],
] as const;

interface StepFieldsProps {
  /** Number, from 1. */
  readonly number: number;
  readonly isLast: boolean;
  readonly step: StepDraft;
  readonly onChange: (step: StepDraft) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

/** One step of a plan in the form. */
export function StepFields(props: StepFieldsProps) {
  const { number, isLast, step, onChange, onMove, onRemove } = props;
  const { name, description, state, acceptedBy, criteria } = step;
  const label = `step ${number}`;
  return (
    <li className="plan-draft">
      <fieldset>
        <legend className="visually-hidden">Step {number}</legend>
        <div className="plan-draft-head">
          <TextField
            label={`Step ${number}`}
            value={name}
            onChange={(next) => onChange({ ...step, name: next })}
            isRequired
          />
          <IconButton label={`Move ${label} up`} isOff={number === 1} onPress={() => onMove(-1)}>
            <ArrowUp size={16} aria-hidden />
          </IconButton>
          <IconButton label={`Move ${label} down`} isOff={isLast} onPress={() => onMove(1)}>
            <ArrowDown size={16} aria-hidden />
          </IconButton>
          <IconButton label={`Remove ${label}`} onPress={onRemove}>
            <Trash2 size={16} aria-hidden />
          </IconButton>
        </div>
        <TextField
          label="Description"
          lines={2}
          value={description}
          onChange={(next) => onChange({ ...step, description: next })}
        />
        <div className="form-row">
          <ChoiceField
            label="State"
            value={state}
            options={STATES}
            onChange={(next) => onChange({ ...step, state: next as StepDraft["state"] })}
          />
          <ChoiceField
            label="Accepted by"
            value={acceptedBy}
            options={ACCEPTED_BY}
            onChange={(next) => onChange({ ...step, acceptedBy: next as StepDraft["acceptedBy"] })}
          />
        </div>
        {acceptedBy !== "" && (
          <TextField
            label="Criteria"
            hint="What has to be true of the outcome."
            value={criteria}
            onChange={(next) => onChange({ ...step, criteria: next })}
            isRequired
          />
        )}
      </fieldset>
    </li>
  );
}
