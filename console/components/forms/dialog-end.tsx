interface DialogEndProps {
  readonly onClose: () => void;
  readonly children?: string;
}

/** Foot of a dialog that has nothing left to ask: the one button that closes it. */
export function DialogEnd({ onClose, children = "Close" }: DialogEndProps) {
  return (
    <div className="dialog-actions">
      <button type="button" className="button button-primary" onClick={onClose}>
        {children}
      </button>
    </div>
  );
}
