import { Link } from "@tanstack/react-router";
import { LogIn, MessageCircleQuestion } from "lucide-react";

import type { PendingCall } from "../../../sdk/index.ts";
import { useMay } from "../../access/access-context.ts";
import { readFields } from "./question-fields.ts";

interface WaitingNoteProps {
  readonly call: PendingCall;
  readonly sessionId: string;
}

/** Question or sign-in that a call waits for, where it is not answered; nothing for a permission or a plain result. */
export function WaitingNote({ call, sessionId }: WaitingNoteProps) {
  const { elicitation, authorization } = call;
  if (authorization) {
    return (
      <div className="question" role="note" aria-label="Waits for a sign-in">
        <p className="question-from">
          <LogIn size={16} aria-hidden />
          <span>
            Waits for a sign-in at <strong className="code">{hostOf(authorization.url)}</strong>
          </span>
        </p>
        <WhereToAnswer sessionId={sessionId} words="Sign in, or refuse" />
      </div>
    );
  }
  if (!elicitation) return null;
  return (
    <div className="question" role="note" aria-label="Waits for an answer">
      <p className="question-from">
        <MessageCircleQuestion size={16} aria-hidden />
        <span>
          The MCP server <strong className="code">{elicitation.server}</strong> asks
        </span>
      </p>
      <ul className="question-list">
        {Object.entries(elicitation.requests).map(([key, request]) => (
          <li key={key}>
            <p className="plain-text question-message">{request.message}</p>
            <p className="quiet">
              {request.mode === "url"
                ? `A page of ${hostOf(request.url)}`
                : readFields(request.requested_schema)
                    .map(({ label, isRequired }) => `${label}${isRequired ? " *" : ""}`)
                    .join(", ")}
            </p>
          </li>
        ))}
      </ul>
      <WhereToAnswer sessionId={sessionId} words="Answer it" />
    </div>
  );
}

function WhereToAnswer({
  sessionId,
  words,
}: {
  readonly sessionId: string;
  readonly words: string;
}) {
  const mayAnswer = useMay("tool_results:write");
  const mayList = useMay("confirmations:read");
  if (!mayAnswer || !mayList) return null;
  return (
    <p>
      <Link to="/inbox" search={{ session_id: sessionId } as never}>
        {words} among the approvals
      </Link>
    </p>
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
