import { useState } from "react";

import { formatBytes } from "../../components/charts/format-number.ts";
import { TextField } from "../../components/forms/fields.tsx";
import { LeaveDialog } from "../../components/forms/leave-dialog.tsx";
import { FileRows } from "./file-rows.tsx";
import {
  folderBytes,
  FOLDER_LIMITS,
  hasProblems,
  MAIN_FILE,
  NO_PROBLEMS,
  refusalProblems,
  sizeProblems,
  type FolderDraft,
  type FolderProblems,
} from "./folder-draft.ts";

interface FolderEditorProps {
  /** Draft before anything was written. */
  readonly saved: FolderDraft;
  readonly draft: FolderDraft;
  readonly onChange: (draft: FolderDraft) => void;
  /** Words of the button, a verb: "Create". */
  readonly action: string;
  readonly onSave: () => Promise<void>;
  readonly onCancel: () => void;
}

/** The folder of a skill as a form. What the platform refuses is said where it is, and nothing that was written is lost. */
export function FolderEditor(props: FolderEditorProps) {
  const { saved, draft, onChange, action, onSave, onCancel } = props;
  const [isBusy, setIsBusy] = useState(false);
  const [refused, setRefused] = useState<FolderProblems>(NO_PROBLEMS);
  const sizes = sizeProblems(draft);
  const problems: FolderProblems = {
    main: sizes.main ?? refused.main,
    others: new Map([...refused.others, ...sizes.others]),
    folder: sizes.folder ?? refused.folder,
  };

  function change(next: FolderDraft): void {
    setRefused(NO_PROBLEMS);
    onChange(next);
  }

  async function save(): Promise<void> {
    setIsBusy(true);
    setRefused(NO_PROBLEMS);
    try {
      await onSave();
    } catch (error) {
      setRefused(refusalProblems(error, draft));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <form
      className="form-stack skill-editor"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy && !hasProblems(sizes)) void save();
      }}
    >
      <section className="panel" aria-label={MAIN_FILE}>
        <TextField
          label={MAIN_FILE}
          hint="Front matter with name and description, then the instructions. The model is told the first two, and reads the rest when it needs it."
          error={problems.main}
          lines={16}
          isCode
          isRequired
          value={draft.main}
          onChange={(main) => change({ ...draft, main })}
        />
      </section>
      <FileRows draft={draft} problems={problems.others} onChange={change} />
      {problems.folder !== null && (
        <p role="alert" className="field-error">
          {problems.folder}
        </p>
      )}
      <div className="skill-editor-end">
        <p role="status" className="quiet">
          {draft.others.length + 1} of {FOLDER_LIMITS.files} files,{" "}
          {formatBytes(folderBytes(draft))} of {formatBytes(FOLDER_LIMITS.folderBytes)}
        </p>
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
        <button
          type="submit"
          className="button button-primary"
          disabled={isBusy || hasProblems(sizes)}
        >
          {isBusy ? "One moment…" : action}
        </button>
      </div>
      <LeaveDialog isDirty={draft !== saved && !isBusy} />
    </form>
  );
}
