import type { ReactNode } from "react";

interface ShortcutButtonProps {
  /** The key that presses it on the card with the focus. */
  readonly shortcut: "a" | "d" | "e" | "n" | "u" | "x";
  /** An answer or its undo: a press counts only after the card has been in its place for a while. */
  readonly isAnswer?: boolean;
  readonly isPrimary?: boolean;
  readonly isDisabled?: boolean;
  readonly isExpanded?: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

/** A button of a card that a key presses as well. */
export function ShortcutButton({
  shortcut,
  isAnswer = false,
  isPrimary = false,
  isDisabled = false,
  isExpanded,
  onPress,
  children,
}: ShortcutButtonProps) {
  return (
    <button
      type="button"
      className={isPrimary ? "button button-primary" : "button"}
      data-answers={isAnswer || undefined}
      data-shortcut={shortcut}
      aria-keyshortcuts={shortcut}
      aria-expanded={isExpanded}
      disabled={isDisabled}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
