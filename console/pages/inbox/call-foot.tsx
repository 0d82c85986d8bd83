// The end of a card: the buttons of a call that waits, the countdown of an approval, or who has answered.
import { Check, ChevronDown, ChevronUp, Undo2, X } from "lucide-react";
import { useEffect, useState } from "react";

import { ShortcutButton } from "./shortcut-button.tsx";
import { WhoDecided } from "./who-decided.tsx";
import { secondsLeft, type Held } from "./undo-queue.ts";
import type { Card } from "./waiting-list.ts";

interface CallButtonsProps {
  readonly mayAnswer: boolean;
  readonly isPermission: boolean;
  readonly isOpen: boolean;
  readonly isBusy: boolean;
  readonly openLabel: string;
  readonly onApprove: () => void;
  readonly onDeny: () => void;
  readonly onOpen: () => void;
}

export function CallButtons(props: CallButtonsProps) {
  const { mayAnswer, isPermission, isOpen, isBusy, openLabel, onApprove, onDeny, onOpen } = props;
  return (
    <>
      {isPermission && mayAnswer && !isOpen && (
        <>
          <ShortcutButton shortcut="a" isAnswer isPrimary isDisabled={isBusy} onPress={onApprove}>
            Approve
          </ShortcutButton>
          <ShortcutButton shortcut="d" isAnswer isDisabled={isBusy} onPress={onDeny}>
            Deny
          </ShortcutButton>
        </>
      )}
      <ShortcutButton shortcut="e" isExpanded={isOpen} onPress={onOpen}>
        {isOpen ? <ChevronUp size={16} aria-hidden /> : <ChevronDown size={16} aria-hidden />}
        {isOpen ? "Close" : openLabel}
      </ShortcutButton>
    </>
  );
}

interface HeldNoteProps {
  readonly held: Held;
  readonly onUndo: () => void;
  readonly onNow: () => void;
}

/** An approval that was given and not sent yet. */
export function HeldNote({ held, onUndo, onNow }: HeldNoteProps) {
  return (
    <>
      <span className="call-outcome">
        <span className="badge" data-tone="busy">
          approved
        </span>
        sent in <Countdown dueAtMs={held.dueAtMs} />
      </span>
      <ShortcutButton shortcut="u" isAnswer onPress={onUndo}>
        <Undo2 size={16} aria-hidden />
        Undo
      </ShortcutButton>
      <ShortcutButton shortcut="n" isAnswer onPress={onNow}>
        Now
      </ShortcutButton>
    </>
  );
}

const TICK_MS = 200;

export function Countdown({ dueAtMs }: { readonly dueAtMs: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return <span className="countdown">{secondsLeft(dueAtMs, now)} s</span>;
}

interface SettledNoteProps {
  readonly card: Card;
  readonly onPutAway: () => void;
}

/** Maker of the answer, and the way to put the card away. */
export function SettledNote({ card: { call, state }, onPutAway }: SettledNoteProps) {
  if (state.type !== "settled") return null;
  const isMine = state.by === "me";
  return (
    <>
      <span className="call-outcome">
        <span
          className="badge"
          data-tone={isMine && state.intent !== "denied" ? "good" : isMine ? "bad" : "quiet"}
        >
          {isMine ? state.intent : "waits no more"}
        </span>
        {isMine ? (
          "by you"
        ) : (
          <span>
            <WhoDecided call={call} />
            {state.tried !== null && "; your answer came too late"}
          </span>
        )}
      </span>
      <ShortcutButton shortcut="x" onPress={onPutAway}>
        {isMine ? <Check size={16} aria-hidden /> : <X size={16} aria-hidden />}
        Put away
      </ShortcutButton>
    </>
  );
}
