import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactElement, ReactNode } from "react";

interface DetailDialogProps {
  /** The button that opens it. */
  readonly trigger: ReactElement;
  readonly title: ReactNode;
  /** Drawn when it is open. */
  readonly children: ReactNode;
}

/** Shows more of one row of a list, above the list. */
export function DetailDialog({ trigger, title, children }: DetailDialogProps) {
  return (
    <Dialog.Root>
      <Dialog.Trigger render={trigger} />
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog dialog-wide">
          <div className="dialog-head">
            <Dialog.Title className="dialog-title">{title}</Dialog.Title>
            <Dialog.Close className="button button-icon" aria-label="Close">
              <X size={20} aria-hidden />
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
