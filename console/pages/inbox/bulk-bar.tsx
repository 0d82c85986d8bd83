import { Check, X } from "lucide-react";
import { useState } from "react";

import type { Confirmation } from "../../../sdk/index.ts";
import { failureText } from "../../components/failure-text.ts";
import type { CallAnswer } from "./answer-calls.ts";

interface BulkBarProps {
  readonly calls: readonly Confirmation[];
  readonly onAnswer: (answers: readonly CallAnswer[]) => Promise<void>;
  readonly onClear: () => void;
}

/** One answer for all chosen calls. Each has an outcome of its own. */
export function BulkBar({ calls, onAnswer, onClear }: BulkBarProps) {
  const [reason, setReason] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function send(confirmed: boolean): Promise<void> {
    setIsBusy(true);
    setFailure(null);
    const text = reason.trim();
    const confirm = { confirmed, ...(!confirmed && text !== "" && { reason: text }) };
    try {
      await onAnswer(calls.map((call) => ({ call, confirm })));
    } catch (error) {
      setFailure(failureText(error));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <section className="bulk-bar" aria-label="Chosen calls">
      <strong>{calls.length} chosen</strong>
      <input
        type="text"
        className="input"
        aria-label="Reason of a denial, for the model"
        placeholder="Reason of a denial, for the model"
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <button type="button" className="button" disabled={isBusy} onClick={() => void send(false)}>
        <X size={16} aria-hidden />
        Deny {calls.length}
      </button>
      <button
        type="button"
        className="button button-primary"
        disabled={isBusy}
        onClick={() => void send(true)}
      >
        <Check size={16} aria-hidden />
        Approve {calls.length}
      </button>
      <button
        type="button"
        className="button button-icon"
        aria-label="Choose none"
        onClick={onClear}
      >
        <X size={16} aria-hidden />
      </button>
      {failure !== null && (
        <p role="alert" className="field-error">
          {failure}
        </p>
      )}
    </section>
  );
}
