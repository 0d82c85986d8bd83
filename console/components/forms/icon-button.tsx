import type { ReactNode } from "react";

interface IconButtonProps {
  /** Action of the button: its accessible name and its tooltip. */
  readonly label: string;
  readonly isOff?: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

/** A button that shows an icon alone. */
export function IconButton({ label, isOff = false, onPress, children }: IconButtonProps) {
  return (
    <button
      type="button"
      className="button button-icon"
      aria-label={label}
      title={label}
      disabled={isOff}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
