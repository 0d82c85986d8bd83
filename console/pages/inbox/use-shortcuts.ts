import { useEffect, useRef, type RefObject } from "react";

interface ShortcutActs {
  /** The focus goes to the next card, or the one before. */
  readonly onHelp: () => void;
  /** A card's editor is closed with Escape. */
  readonly onClose: (key: string) => void;
}

/** Keys and what they do, for the help. */
export const SHORTCUTS: readonly (readonly [keys: string, act: string])[] = [
  ["j", "the next card"],
  ["k", "the card before"],
  ["a", "approve"],
  ["d", "deny"],
  ["e", "open: edit, give a reason, answer"],
  ["Ctrl Enter", "approve with what was edited"],
  ["Escape", "close what was opened"],
  ["u", "undo an approval that is not sent yet"],
  ["n", "send it now"],
  ["x", "put an answered card away"],
  ["?", "this help"],
];

/** Keys of the card that has the focus: they press its buttons, so that a key does what a click would do. */
export function useShortcuts(root: RefObject<HTMLElement | null>, acts: ShortcutActs): void {
  const latest = useRef(acts);
  useEffect(() => {
    latest.current = acts;
  });
  useEffect(() => {
    const ends = new AbortController();
    const onKeyDown = (event: KeyboardEvent) => {
      if (root.current) pressKey(event, root.current, latest.current);
    };
    document.addEventListener("keydown", onKeyDown, { signal: ends.signal });
    return () => ends.abort();
  }, [root]);
}

function pressKey(event: KeyboardEvent, root: HTMLElement, acts: ShortcutActs): void {
  const { target, key } = event;
  if (event.defaultPrevented || !(target instanceof HTMLElement)) return;
  const card = target.closest<HTMLElement>("[data-key]");
  if (key === "Escape" && card && target.closest(".call-editor")) {
    card.focus();
    return acts.onClose(card.dataset["key"] ?? "");
  }
  const hasModifier = event.ctrlKey || event.metaKey;
  if (hasModifier && key === "Enter" && card) {
    event.preventDefault();
    return pressButton(card, "a");
  }
  if (hasModifier || event.altKey || isTyping(target)) return;
  // Keys of the page are keys only where nothing else has the focus, such as a menu or a dialog.
  const isFree = target === document.body || target.id === "main" || root.contains(target);
  if (!isFree) return;
  if (key === "?") {
    event.preventDefault();
    return acts.onHelp();
  }
  if (key === "j" || key === "k") {
    event.preventDefault();
    return moveFocus(root, card, key === "j" ? 1 : -1);
  }
  if (card && BUTTON_KEYS.has(key)) {
    event.preventDefault();
    pressButton(card, key);
  }
}

const BUTTON_KEYS: ReadonlySet<string> = new Set(["a", "d", "e", "u", "n", "x"]);

/** Another press of the same key while it is held down is none: `use-aim.ts` leaves those of answers out. */
function pressButton(card: HTMLElement, key: string): void {
  card.querySelector<HTMLButtonElement>(`[data-shortcut="${key}"]`)?.click();
}

function moveFocus(root: HTMLElement, card: HTMLElement | null, step: number): void {
  const cards = [...root.querySelectorAll<HTMLElement>("[data-key]")];
  const index = card ? cards.indexOf(card) + step : 0;
  const next = cards[index];
  if (next) focusElement(next, true);
}

/** @param scrolls Whether it is brought into view: under a pointer that has just pressed nothing may move. */
export function focusElement(element: HTMLElement, scrolls: boolean): void {
  element.focus({ preventScroll: true });
  if (scrolls) element.scrollIntoView({ block: "nearest" });
}

const NOT_TYPED = new Set(["checkbox", "radio", "button", "submit"]);

function isTyping(target: HTMLElement): boolean {
  if (target instanceof HTMLInputElement) return !NOT_TYPED.has(target.type);
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    target.isContentEditable
  );
}
