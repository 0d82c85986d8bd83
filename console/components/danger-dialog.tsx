import { AlertDialog } from "@base-ui/react/alert-dialog";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";

import { TextField } from "./forms/fields.tsx";

const CLASSES = {
  plain: "button",
  icon: "button button-icon",
  small: "button button-small",
  "small icon": "button button-icon button-small",
  danger: "button button-danger",
} as const;

interface DangerDialogProps {
  /** Button that opens the dialog; one with the words of the action when left out. */
  readonly button?: DangerButton;
  readonly title: string;
  /** Consequences, and that they cannot be undone. */
  readonly children: ReactNode;
  /** A name that has to be typed before, where much would be lost by a slip. */
  readonly typed?: string;
  /** Words of the confirming button, a verb: "Delete". */
  readonly action: string;
  readonly onConfirm: () => Promise<void>;
}

interface DangerButton {
  /** Words of the button; those of the action when left out. */
  readonly text?: string;
  readonly icon?: LucideIcon;
  /** Accessible name, where each row of a list has such a button. */
  readonly name?: string;
  readonly look?: keyof typeof CLASSES;
  readonly isOff?: boolean;
}

/** Button whose act cannot be undone, and the question before it. A failure is shown, and the dialog stays open. */
export function DangerDialog(props: DangerDialogProps) {
  const { button = {}, title, children, typed, action, onConfirm } = props;
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [text, setText] = useState("");
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
    <AlertDialog.Root
      open={isOpen}
      onOpenChange={(next) => {
        setText("");
        setIsOpen(next);
      }}
    >
      <AlertDialog.Trigger render={openingButton(button, action)} />
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title className="dialog-title">{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />}>{children}</AlertDialog.Description>
          {typed !== undefined && (
            <TextField label={`Type the name to go on: ${typed}`} value={text} onChange={setText} />
          )}
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
              disabled={isBusy || (typed !== undefined && asShown(text) !== asShown(typed))}
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

/** Spaces are shown as one. */
function asShown(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}

function openingButton(
  { text, icon: Icon, name, look = "plain", isOff }: DangerButton,
  action: string,
) {
  const isIcon = look === "icon" || look === "small icon";
  return (
    <button type="button" className={CLASSES[look]} aria-label={name} disabled={isOff}>
      {Icon && <Icon size={look === "small icon" ? 14 : 16} aria-hidden />}
      {!isIcon && (text ?? action)}
    </button>
  );
}
