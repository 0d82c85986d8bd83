import { X } from "lucide-react";
import { useState } from "react";

import type { CallAnswer } from "./answer-calls.ts";
import { BulkApproval, type ChosenCall } from "./bulk-approval.tsx";

interface BulkBarProps {
  readonly calls: readonly ChosenCall[];
  readonly delaySeconds: number;
  readonly onAnswer: (answers: readonly CallAnswer[]) => void;
  readonly onClear: () => void;
  /** Element that has the focus when the answer was given: the bar is gone then. */
  readonly findFocus: () => HTMLElement | null;
}

/** One answer for all chosen calls. Each has an outcome of its own. */
export function BulkBar({ calls, delaySeconds, onAnswer, onClear, findFocus }: BulkBarProps) {
  const [reason, setReason] = useState("");
  const count = calls.length;

  function deny(): void {
    const text = reason.trim();
    const confirm = { confirmed: false, ...(text !== "" && { reason: text }) };
    onAnswer(calls.map(({ call }) => ({ call, confirm })));
    findFocus()?.focus({ preventScroll: true });
  }

  return (
    <section className="bulk-bar" aria-label="Chosen calls">
      <strong>{count} chosen</strong>
      <input
        type="text"
        className="input"
        aria-label="Reason of a denial, for the model"
        placeholder="Reason of a denial, for the model"
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <button type="button" className="button" data-answers onClick={deny}>
        <X size={16} aria-hidden />
        Deny {count}
      </button>
      <BulkApproval {...{ calls, delaySeconds, findFocus }} onApprove={onAnswer} />
      <button
        type="button"
        className="button button-icon"
        aria-label="Choose none"
        onClick={() => {
          onClear();
          findFocus()?.focus({ preventScroll: true });
        }}
      >
        <X size={16} aria-hidden />
      </button>
    </section>
  );
}
