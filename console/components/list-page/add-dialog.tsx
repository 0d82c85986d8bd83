import { Plus } from "lucide-react";
import type { ReactNode } from "react";

import { FormDialog } from "../forms/form-dialog.tsx";

interface AddDialogProps {
  /** Words of the button. */
  readonly label: string;
  readonly title: string;
  /** Whether another button of the page is the first choice. */
  readonly isSecondary?: boolean;
  /** The form, made anew at each opening. */
  readonly children: (close: () => void) => ReactNode;
}

/** Button that adds an entry to a list, and the form of the entry in front of the page. */
export function AddDialog({ label, title, isSecondary = false, children }: AddDialogProps) {
  return (
    <FormDialog
      title={title}
      trigger={
        <button type="button" className={isSecondary ? "button" : "button button-primary"}>
          <Plus size={16} aria-hidden />
          {label}
        </button>
      }
    >
      {children}
    </FormDialog>
  );
}
