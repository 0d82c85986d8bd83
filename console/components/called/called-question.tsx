import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Check, X } from "lucide-react";
import { useState } from "react";

import { confirmEvent, type ConfirmAnswer, type PendingCall } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { CallReasonsText } from "../call-reasons.tsx";
import { sentenceOf } from "../failure-text.ts";
import { TextField } from "../forms/fields.tsx";
import { JsonViewer } from "../json-viewer.tsx";
import { parseTree } from "../message/parse-tree.ts";
import { TimeStamp } from "../time-stamp.tsx";
import { WaitingNote } from "../waiting/waiting-note.tsx";
import type { SubagentQuestion } from "./called-of.ts";
import { subagentsKey } from "./use-subagents.ts";

interface CalledQuestionProps {
  readonly question: SubagentQuestion;
  /** The session whose reply has called the agent. */
  readonly callerId: string;
  /** False where an agent further down asks. */
  readonly isDirect: boolean;
}

/** A call of a called agent that waits, to be answered where its caller is read. */
export function CalledQuestion({ question, callerId, isDirect }: CalledQuestionProps) {
  const { kind, tool_call, expires_at, reasons, session_id, elicitation, authorization } = question;
  const { omitted } = question;
  const tree = parseTree(tool_call.input);
  const isPlainResult = kind === "external_result" && !elicitation && !authorization;
  return (
    <section className="called-question" aria-label={`Question about ${tool_call.name}`}>
      <p className="tool-question">
        {question.question ?? (isPlainResult ? "It waits for a result of " : "It asks about ")}
        {question.question === undefined && <span className="code">{tool_call.name}</span>}
      </p>
      {!isDirect && (
        <p className="quiet">
          It is asked by{" "}
          <Link to="/sessions/$sessionId" params={{ sessionId: session_id }}>
            an agent further down
          </Link>
          .
        </p>
      )}
      {omitted ? (
        <p className="quiet">
          Its input, of {Math.ceil(omitted.bytes / 1_000)} kB, is too large to be shown here.{" "}
          <Link to="/sessions/$sessionId" params={{ sessionId: session_id }}>
            The session that asks
          </Link>{" "}
          shows it.
        </p>
      ) : tree === undefined ? (
        <pre className="plain-text">{tool_call.input}</pre>
      ) : (
        <JsonViewer value={tree} label={`input of ${tool_call.name}`} />
      )}
      <CallReasonsText reasons={reasons} />
      {expires_at !== null && (
        <p className="quiet">
          Expires <TimeStamp at={expires_at} />
        </p>
      )}
      <WaitingNote call={question} sessionId={session_id} />
      {kind === "permission" && <Answer question={question} callerId={callerId} />}
      {isPlainResult && <AmongApprovals sessionId={session_id} words="Give the result" />}
    </section>
  );
}

interface AnswerProps {
  readonly question: SubagentQuestion;
  readonly callerId: string;
}

function Answer({ question, callerId }: AnswerProps) {
  const reprise = useReprise();
  const queries = useQueryClient();
  const mayAnswer = useMay("confirmations:write");
  const [isDenying, setIsDenying] = useState(false);
  const [reason, setReason] = useState("");
  const { session_id, reply_id } = question;
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: async (answer: ConfirmAnswer) => {
      const event = confirmEvent(reply_id, [[question as PendingCall, answer]]);
      const [outcome] = await reprise.confirmations.answer([{ session_id, event }]);
      if (outcome && !outcome.ok) throw new Error(sentenceOf(outcome.problem.detail));
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: subagentsKey(callerId) }),
  });
  if (!mayAnswer) return <p className="quiet">Waits for a person who may confirm calls.</p>;
  const isOff = isPending || isSuccess;
  return (
    <div className="approval" role="group" aria-label={`Answer to ${question.tool_call.name}`}>
      {isDenying ? (
        <form
          className="approval-form"
          onSubmit={(event) => {
            event.preventDefault();
            const text = reason.trim();
            mutate({ confirmed: false, ...(text !== "" && { reason: text }) });
          }}
        >
          <TextField
            label="Reason"
            hint="The agent is told it; may be empty."
            value={reason}
            onChange={setReason}
          />
          <div className="approval-actions">
            <button type="submit" className="button button-danger" disabled={isOff}>
              Deny
            </button>
            <button type="button" className="button" onClick={() => setIsDenying(false)}>
              Cancel
            </button>
          </div>
        </form>
      ) : (
        <div className="approval-actions">
          {/* Nobody allows what is not shown. */}
          {!question.omitted && (
            <button
              type="button"
              className="button button-primary"
              disabled={isOff}
              onClick={() => mutate({ confirmed: true })}
            >
              <Check size={16} aria-hidden />
              {isOff ? "Answering…" : "Allow"}
            </button>
          )}
          <button
            type="button"
            className="button"
            disabled={isOff}
            onClick={() => setIsDenying(true)}
          >
            <X size={16} aria-hidden />
            Deny…
          </button>
          <AmongApprovals sessionId={session_id} words="Edit, always allow…" />
        </div>
      )}
      {error && (
        <p role="alert" className="field-error">
          {error.message}
        </p>
      )}
    </div>
  );
}

interface AmongApprovalsProps {
  readonly sessionId: string;
  readonly words: string;
}

/** Way to the page that has all that an answer can be. */
function AmongApprovals({ sessionId, words }: AmongApprovalsProps) {
  if (!useMay("confirmations:read")) return null;
  return (
    <Link to="/inbox" search={{ session_id: sessionId } as never} className="button">
      {words}
    </Link>
  );
}
