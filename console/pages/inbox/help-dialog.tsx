import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";

import { SHORTCUTS } from "./use-shortcuts.ts";

interface HelpDialogProps {
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}

/** Keys of the inbox. */
export function HelpDialog({ isOpen, onOpen }: HelpDialogProps) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={onOpen}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <div className="dialog-head">
            <Dialog.Title className="dialog-title">Keys</Dialog.Title>
            <Dialog.Close className="button button-icon" aria-label="Close">
              <X size={20} aria-hidden />
            </Dialog.Close>
          </div>
          <dl className="key-list">
            {SHORTCUTS.map(([keys, act]) => (
              <div key={keys}>
                <dt>
                  {keys.split(" ").map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{act}</dd>
              </div>
            ))}
          </dl>
          <p className="quiet">
            They are for the card that has the focus. A key or a click counts on a card that has
            been in its place for half a second; a key that is held down counts once.
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
