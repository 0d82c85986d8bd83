import { AlertDialog } from "@base-ui/react/alert-dialog";
import type { ReactElement, ReactNode } from "react";
import { useState } from "react";

interface ConfirmDialogProps {
  /** The button that opens it. */
  readonly trigger: ReactElement;
  readonly title: string;
  /** What will happen, and what cannot be undone. */
  readonly children: ReactNode;
  /** What the confirming button does, as a verb: "Delete". */
  readonly action: string;
  readonly onConfirm: () => Promise<void>;
}

/** Asks before something that cannot be undone; says so when it fails, and stays open. */
export function ConfirmDialog({ trigger, title, children, action, onConfirm }: ConfirmDialogProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function confirm(): Promise<void> {
    setIsBusy(true);
    setFailure(null);
    try {
      await onConfirm();
      setIsOpen(false);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <AlertDialog.Root open={isOpen} onOpenChange={setIsOpen}>
      <AlertDialog.Trigger render={trigger} />
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title className="dialog-title">{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />}>{children}</AlertDialog.Description>
          {failure !== null && (
            <p role="alert" className="field-error">
              {failure}
            </p>
          )}
          <div className="dialog-actions">
            <AlertDialog.Close className="button">Cancel</AlertDialog.Close>
            <button
              type="button"
              className="button button-danger"
              disabled={isBusy}
              onClick={() => void confirm()}
            >
              {isBusy ? "One moment…" : action}
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
