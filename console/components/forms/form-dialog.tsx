import { Dialog } from "@base-ui/react/dialog";
import type { ReactElement, ReactNode } from "react";
import { useState } from "react";

import { failureText } from "../failure-text.ts";

interface FormDialogProps {
  /** The button that opens it. */
  readonly trigger: ReactElement;
  readonly title: string;
  /** The form, made anew at each opening. */
  readonly children: (close: () => void) => ReactNode;
}

/**
 * A form in front of the page. A click beside it and Escape leave it open: what was typed, or a secret that is shown
 * once, would be lost.
 */
export function FormDialog({ trigger, title, children }: FormDialogProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Dialog.Root
      open={isOpen}
      disablePointerDismissal
      onOpenChange={(next, details) => {
        if (details.reason === "escape-key") details.cancel();
        else setIsOpen(next);
      }}
    >
      <Dialog.Trigger render={trigger} />
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog dialog-form">
          <Dialog.Title className="dialog-title">{title}</Dialog.Title>
          {children(() => setIsOpen(false))}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface DialogFormProps {
  /** Words of the button, a verb: "Create". */
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly children: ReactNode;
  readonly onSubmit: () => Promise<void>;
  readonly onCancel: () => void;
}

/** The fields of a dialog with its buttons; says so when it fails, and stays open. */
export function DialogForm(props: DialogFormProps) {
  const { action, isDangerous = false, children, onSubmit, onCancel } = props;
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function submit(): Promise<void> {
    setIsBusy(true);
    setFailure(null);
    try {
      await onSubmit();
    } catch (error) {
      setFailure(failureText(error));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <form
      className="form-stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void submit();
      }}
    >
      {children}
      {failure !== null && (
        <p role="alert" className="field-error">
          {failure}
        </p>
      )}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
        <button
          type="submit"
          className={`button ${isDangerous ? "button-danger" : "button-primary"}`}
          disabled={isBusy}
        >
          {isBusy ? "One moment…" : action}
        </button>
      </div>
    </form>
  );
}
