import { CircleAlert, CircleCheck, CircleDashed } from "lucide-react";
import type { ReactNode } from "react";

interface EditorBarProps {
  readonly state: "checking" | "valid" | "invalid" | "unknown" | "broken";
  readonly errorCount: number;
  readonly canSave: boolean;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  readonly saveLabel: string;
  readonly onSave: () => void;
  readonly onReset: () => void;
  readonly children?: ReactNode;
}

/** Whether the definition is valid, and the buttons: it stays in view while the form scrolls. */
export function EditorBar(props: EditorBarProps) {
  const { state, errorCount, canSave, isDirty, isSaving, saveLabel, onSave, onReset, children } =
    props;
  const Icon = ICONS[state];
  return (
    <div className="editor-bar">
      <p role="status" className="editor-state" data-state={state}>
        <Icon size={16} aria-hidden />
        <span>{wordsFor(state, errorCount)}</span>
        {isDirty && <span className="quiet"> · not saved</span>}
      </p>
      {children}
      <button type="button" className="button" disabled={!isDirty || isSaving} onClick={onReset}>
        Undo changes
      </button>
      <button
        type="button"
        className="button button-primary"
        disabled={!canSave || isSaving || state === "broken"}
        onClick={onSave}
      >
        {isSaving ? "Saving…" : saveLabel}
      </button>
    </div>
  );
}

const ICONS = {
  checking: CircleDashed,
  valid: CircleCheck,
  invalid: CircleAlert,
  unknown: CircleDashed,
  broken: CircleAlert,
};

function wordsFor(state: EditorBarProps["state"], errorCount: number): string {
  switch (state) {
    case "checking":
      return "Checking…";
    case "valid":
      return "Valid";
    case "broken":
      return "A text is not JSON";
    case "invalid":
      return errorCount === 1 ? "1 problem" : `${Math.max(errorCount, 1)} problems`;
    case "unknown":
      return "Could not be checked";
  }
}
