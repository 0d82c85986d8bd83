import { Link } from "@tanstack/react-router";
import { ChevronDown, ChevronUp } from "lucide-react";
import { useState } from "react";

import type { Confirmation } from "../../../sdk/index.ts";
import { useMay } from "../../access/access-context.ts";
import { failureText } from "../../components/failure-text.ts";
import { CallReasonsText } from "../../components/call-reasons.tsx";
import { JsonViewer } from "../../components/json-viewer.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { waitingStatus } from "../../components/waiting/waiting-words.ts";
import type { CallAnswer } from "./answer-calls.ts";
import { ConfirmEditor } from "./confirm-editor.tsx";
import { parseInput } from "./parse-input.ts";
import { OutsideEditor } from "./outside-editor.tsx";
import { WhoMayAnswer } from "./who-may-answer.tsx";

interface CallCardProps {
  readonly call: Confirmation;
  /** The call no longer waits. */
  readonly isGone: boolean;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
  readonly onAnswer: (answer: CallAnswer) => Promise<void>;
  /** The sign-in that it waits for was completed here. */
  readonly onSignedIn: () => void;
}

/** A waiting call, with its answer at one press, and open with everything that an answer can have. */
export function CallCard(props: CallCardProps) {
  const { call, isGone, isOpen, onOpen, isChosen, onChoose, onAnswer, onSignedIn } = props;
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const mayConfirm = useMay("confirmations:write");
  const mayGiveResults = useMay("tool_results:write");
  const isPermission = call.kind === "permission";
  const mayAnswer = isPermission ? mayConfirm : mayGiveResults;

  const waiting = waitingStatus(call);
  const openLabel = mayAnswer ? (OPEN_LABELS[waiting] ?? "Give the result…") : "Details…";

  async function send(answer: CallAnswer): Promise<void> {
    setIsBusy(true);
    setFailure(null);
    try {
      await onAnswer(answer);
    } catch (error) {
      setFailure(failureText(error));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <li className="call-card" data-chosen={isChosen || undefined} aria-label={call.tool_name}>
      <div className="call-head">
        {isPermission && mayAnswer && !isGone && (
          <label className="check-field">
            <input
              type="checkbox"
              checked={isChosen}
              onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
            />
            <span className="visually-hidden">Choose this call</span>
          </label>
        )}
        <strong className="code">{call.tool_name}</strong>
        {isGone ? (
          <span className="badge" data-tone="quiet">
            waits no more
          </span>
        ) : (
          <StatusBadge status={waiting} />
        )}
        <span className="call-age">
          asked <TimeStamp at={call.asked_at} />
        </span>
      </div>
      {call.question !== undefined && !(isOpen && call.elicitation) && (
        <p className="call-question">{call.question}</p>
      )}
      <CallReasonsText reasons={call.reasons} />
      <div className="call-facts">
        <Link to="/sessions/$sessionId" params={{ sessionId: call.session_id }}>
          Session
        </Link>
        <span>{call.end_user_id ?? "no end user"}</span>
        <span className="code">{call.agent_id}</span>
        <Expiry at={call.expires_at} />
      </div>
      {!isOpen && <Input call={call} />}
      {isGone && (
        <p role="status" className="notice" data-tone="waiting">
          It was answered by someone else meanwhile, has expired or was interrupted. The history
          says which.
        </p>
      )}
      {isOpen && (
        <div className="call-editor">
          {isPermission ? (
            <ConfirmEditor call={call} isDisabled={isBusy || isGone || !mayAnswer} onSend={send} />
          ) : (
            <OutsideEditor
              call={call}
              isDisabled={isBusy || isGone || !mayAnswer}
              onSend={send}
              onSignedIn={onSignedIn}
            />
          )}
          <WhoMayAnswer call={call} />
        </div>
      )}
      {failure !== null && (
        <p role="alert" className="field-error">
          {failure}
        </p>
      )}
      <div className="button-row">
        {isPermission && mayAnswer && !isOpen && (
          <>
            <button
              type="button"
              className="button button-primary"
              disabled={isBusy}
              onClick={() => void send({ call, confirm: { confirmed: true } })}
            >
              Approve
            </button>
            <button
              type="button"
              className="button"
              disabled={isBusy}
              onClick={() => void send({ call, confirm: { confirmed: false } })}
            >
              Deny
            </button>
          </>
        )}
        <button
          type="button"
          className="button"
          aria-expanded={isOpen}
          onClick={() => onOpen(!isOpen)}
        >
          {isOpen ? <ChevronUp size={16} aria-hidden /> : <ChevronDown size={16} aria-hidden />}
          {isOpen ? "Close" : openLabel}
        </button>
      </div>
    </li>
  );
}

const OPEN_LABELS: Readonly<Record<string, string>> = {
  awaiting_permission: "Edit, reason, always allow…",
  awaiting_answer: "Answer the question…",
  awaiting_sign_in: "Sign in…",
};

function Input({ call }: { readonly call: Confirmation }) {
  if (call.tool_call === null) {
    return <p className="quiet">Its input is too large for this list: its session shows it.</p>;
  }
  const value = parseInput(call.tool_call.input);
  return value === undefined ? (
    <pre className="plain-text">{call.tool_call.input}</pre>
  ) : (
    <JsonViewer value={value} label={`input of ${call.tool_name}`} />
  );
}

/** Milliseconds before its expiry from which a call is marked. */
const SOON_MS = 10 * 60_000;

function Expiry({ at }: { readonly at: string | null }) {
  if (at === null) return <span>never expires</span>;
  const isSoon = Date.parse(at) - Date.now() < SOON_MS;
  return (
    <span className={isSoon ? "field-error" : ""}>
      expires <TimeStamp at={at} />
    </span>
  );
}
