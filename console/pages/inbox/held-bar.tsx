import { Send, Undo2 } from "lucide-react";

import { Countdown } from "./call-foot.tsx";
import { nextDueMs, type UndoQueue } from "./undo-queue.ts";

interface HeldBarProps {
  readonly queue: UndoQueue;
  readonly onUndo: () => void;
  readonly onNow: () => void;
}

/** Several approvals that are not sent yet, also of cards that are out of view. */
export function HeldBar({ queue, onUndo, onNow }: HeldBarProps) {
  const dueAtMs = nextDueMs(queue);
  if (dueAtMs === null || queue.size < 2) return null;
  return (
    <section className="bulk-bar" aria-label="Approvals to be sent">
      <strong>{queue.size} approvals are not sent yet</strong>
      <span className="bulk-fill">
        the first in <Countdown dueAtMs={dueAtMs} />
      </span>
      <button type="button" className="button" data-answers onClick={onUndo}>
        <Undo2 size={16} aria-hidden />
        Undo all
      </button>
      <button type="button" className="button" data-answers onClick={onNow}>
        <Send size={16} aria-hidden />
        Send now
      </button>
    </section>
  );
}
