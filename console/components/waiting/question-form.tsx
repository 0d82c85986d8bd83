import { MessageCircleQuestion, Send } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";

import type {
  InputRequest,
  InputResponse,
  InputResponses,
  PendingCall,
} from "../../../sdk/index.ts";
import {
  draftOfRequest,
  readRequestDraft,
  type RequestAction,
  type RequestDraft,
} from "./request-draft.ts";
import { RequestView } from "./request-view.tsx";

type Question = NonNullable<PendingCall["elicitation"]>;

interface QuestionFormProps {
  readonly question: Question;
  readonly isDisabled: boolean;
  /** Sends the answers, by the keys of the requests. */
  readonly onAnswer: (responses: InputResponses) => void;
}

/** Questions of a server to a person in the middle of a call: a form for each of its requests, answered together. */
export function QuestionForm(props: QuestionFormProps) {
  // A further round of the same call is another question.
  return <Form key={props.question.round} {...props} />;
}

function Form({ question, isDisabled, onAnswer }: QuestionFormProps) {
  const { server, requests, round } = question;
  const entries = Object.entries(requests);
  const isSingle = entries.length === 1;
  const [drafts, setDrafts] = useState<ReadonlyMap<string, RequestDraft>>(
    () => new Map(entries.map(([key, request]) => [key, draftOfRequest(request)])),
  );
  const [refusals, setRefusals] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);
  const change = (key: string, draft: RequestDraft) =>
    setDrafts(new Map([...drafts, [key, draft]]));

  function send(): void {
    const responses: (readonly [string, InputResponse])[] = [];
    const next = new Map(drafts);
    for (const [key, request] of entries) {
      const draft = drafts.get(key) ?? draftOfRequest(request);
      const read = readRequestDraft(request, draft);
      if ("response" in read) responses.push([key, read.response]);
      else next.set(key, { ...draft, errors: read.errors });
    }
    if (responses.length === entries.length) return onAnswer(Object.fromEntries(responses));
    setDrafts(next);
    setRefusals(refusals + 1);
  }
  const answerAll = (action: "decline" | "cancel") =>
    onAnswer(Object.fromEntries(entries.map(([key]) => [key, { action }])));

  return (
    <form
      ref={form}
      className="approval question"
      aria-label={`Question of ${server}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <p className="question-from">
        <MessageCircleQuestion size={16} aria-hidden />
        <span>
          The MCP server <strong className="code">{server}</strong> asks
          {round > 1 && ` (question ${round} of this call)`}
        </span>
      </p>
      <p className="quiet">
        The words below are the server&apos;s, and nobody has checked them. It gets what you send,
        and so does the session&apos;s log: write no password and no other secret.
      </p>
      {entries.map(([key, request], index) => (
        <OneRequest
          key={key}
          request={request}
          draft={drafts.get(key) ?? draftOfRequest(request)}
          title={isSingle ? null : `Question ${index + 1} of ${entries.length}`}
          isDisabled={isDisabled}
          onChange={(draft) => change(key, draft)}
        />
      ))}
      <div className="button-row">
        <button type="submit" className="button button-primary" data-answers disabled={isDisabled}>
          <Send size={16} aria-hidden />
          {submitWords(entries.map(([, request]) => request))}
        </button>
        {isSingle && (
          <>
            <button
              type="button"
              className="button"
              data-answers
              disabled={isDisabled}
              onClick={() => answerAll("decline")}
            >
              Decline
            </button>
            <button
              type="button"
              className="button"
              data-answers
              disabled={isDisabled}
              onClick={() => answerAll("cancel")}
            >
              Cancel the question
            </button>
          </>
        )}
      </div>
      <p className="field-hint">
        To decline tells the tool no; to cancel tells it that nobody has decided. The call goes on
        in each case, and the tool says what follows.
      </p>
    </form>
  );
}

function submitWords(requests: readonly InputRequest[]): string {
  if (requests.length > 1) return "Send all answers";
  return requests[0]?.mode === "url" ? "I have opened it: go on" : "Send the answer";
}

interface OneRequestProps {
  readonly request: InputRequest;
  readonly draft: RequestDraft;
  /** Null for the only one. */
  readonly title: string | null;
  readonly isDisabled: boolean;
  readonly onChange: (draft: RequestDraft) => void;
}

/** One of several requests says by itself how it is answered. */
function OneRequest({ request, draft, title, isDisabled, onChange }: OneRequestProps) {
  const name = useId();
  const view = <RequestView {...{ request, draft, isDisabled, onChange }} />;
  if (title === null) return view;
  const accept = request.mode === "url" ? "I have opened it" : "Answer";
  const actions: readonly (readonly [RequestAction, string])[] = [
    ["accept", accept],
    ["decline", "Decline"],
    ["cancel", "Cancel"],
  ];
  return (
    <fieldset className="question-part">
      <legend className="field-label">{title}</legend>
      {view}
      <div className="question-options" role="radiogroup" aria-label={`How to answer ${title}`}>
        {actions.map(([action, words]) => (
          <label key={action} className="check-field">
            <input
              type="radio"
              name={name}
              disabled={isDisabled}
              checked={draft.action === action}
              onChange={() => onChange({ ...draft, action, errors: new Map() })}
            />
            <span>{words}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
