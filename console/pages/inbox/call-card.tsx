import { Link } from "@tanstack/react-router";
import { Braces } from "lucide-react";
import { useId, useRef, useState } from "react";

import type { Agent, Confirmation } from "../../../sdk/index.ts";
import { useMay } from "../../access/access-context.ts";
import { CallReasonsText } from "../../components/call-reasons.tsx";
import { JsonViewer } from "../../components/json-viewer.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { waitingStatus } from "../../components/waiting/waiting-words.ts";
import type { CallAnswer } from "./answer-calls.ts";
import { CalledUnder } from "./called-under.tsx";
import { CallButtons, HeldNote, SettledNote } from "./call-foot.tsx";
import { isPlainQuestion, type Fact } from "./call-facts.ts";
import { CallStoryView } from "./call-story-view.tsx";
import { CallValues } from "./call-values.tsx";
import { ConfirmEditor } from "./confirm-editor.tsx";
import { OutsideEditor } from "./outside-editor.tsx";
import { parseInput } from "./parse-input.ts";
import { sessionName } from "./session-name.ts";
import { inputSchemaOf } from "./tool-schema.ts";
import { UNSENT_WORDS, type Held, type Unsent } from "./undo-queue.ts";
import { useCallStory } from "./use-call-story.ts";
import { useKeptHeight } from "./use-kept-height.ts";
import type { Card } from "./waiting-list.ts";
import { WhoMayAnswer } from "./who-may-answer.tsx";

interface CallCardProps {
  readonly card: Card;
  readonly agent: Agent | undefined;
  readonly facts: readonly Fact[] | null;
  /** The approval that was given and not sent yet. */
  readonly held: Held | undefined;
  /** Reason for which an earlier approval was never sent. */
  readonly unsent: Unsent | null;
  readonly isOpen: boolean;
  readonly isChosen: boolean;
  readonly acts: CardActs;
}

export interface CardActs {
  readonly open: (key: string, isOpen: boolean) => void;
  readonly choose: (key: string, isChosen: boolean) => void;
  readonly answer: (answer: CallAnswer) => void;
  /** The sign-in that it waits for was completed here. */
  readonly signedIn: (call: Confirmation) => void;
  readonly undo: (key: string) => void;
  readonly now: (key: string) => void;
  readonly putAway: (key: string) => void;
}

/** A waiting call: what a person needs to decide, its answer at one press, and open with all that an answer can have. */
export function CallCard(props: CallCardProps) {
  const { card, agent, facts, held, unsent, isOpen, isChosen, acts } = props;
  const { key, call, edition, state } = card;
  const [hasJson, setHasJson] = useState(false);
  const title = useId();
  const article = useRef<HTMLElement>(null);
  const story = useCallStory(call, article);
  const mayConfirm = useMay("confirmations:write");
  const mayGiveResults = useMay("tool_results:write");
  const isPermission = call.kind === "permission";
  const mayAnswer = isPermission ? mayConfirm : mayGiveResults;
  const isSettled = state.type === "settled";
  const isBusy = state.type === "sending";
  const isDone = isSettled || held !== undefined;
  const minHeight = useKeptHeight(article, isDone || isBusy);
  const waiting = waitingStatus(call);
  const openLabel = mayAnswer ? (OPEN_LABELS[waiting] ?? "Give the result…") : "Details…";
  const question = call.question;
  const isAsked = question !== undefined && !isPlainQuestion(question, call.tool_name);
  const failure = state.type === "waiting" ? state.failure : null;

  return (
    <article
      ref={article}
      className="call-card"
      style={{ minHeight }}
      tabIndex={-1}
      aria-labelledby={title}
      data-edition={`${key} ${edition}`}
      data-key={key}
      data-state={held ? "held" : state.type}
      data-chosen={(isChosen && !isDone) || undefined}
    >
      <div className="call-head">
        {isPermission && mayAnswer && (
          <label className="check-field">
            <input
              type="checkbox"
              checked={isChosen && !isDone}
              disabled={isDone || isBusy}
              onChange={({ currentTarget }) => acts.choose(key, currentTarget.checked)}
            />
            <span className="visually-hidden">Choose this call</span>
          </label>
        )}
        <h2 id={title} className="call-title">
          {isAsked ? question : <span className="code">{call.tool_name}</span>}
        </h2>
        {!isSettled && waiting !== "awaiting_permission" && <StatusBadge status={waiting} />}
      </div>
      <CallValues call={call} facts={facts} />
      <p className="call-facts">
        <span>
          {agent ? (
            <Link to="/agents/$agentId" params={{ agentId: call.agent_id }}>
              {agent.name}
            </Link>
          ) : (
            <span className="code">{call.agent_id}</span>
          )}
        </span>
        {isAsked && <span className="code">{call.tool_name}</span>}
        <span>{call.end_user_id ?? "no end user"}</span>
        <Link to="/sessions/$sessionId" params={{ sessionId: call.session_id }}>
          {sessionName(story.type === "read" ? { ...story.story, title: story.title } : UNNAMED)}
        </Link>
        <span>
          asked <TimeStamp at={call.asked_at} />
        </span>
        <Expiry at={call.expires_at} />
      </p>
      {story.type === "read" && story.parentId !== null && (
        <CalledUnder sessionId={call.session_id} parentId={story.parentId} />
      )}
      <CallStoryView state={story} endUserId={call.end_user_id} isWhole={isOpen} />
      <CallReasonsText reasons={call.reasons} />
      {hasJson && call.tool_call && <InputJson call={call} />}
      {isOpen && (
        <div className="call-editor" hidden={held !== undefined}>
          <Editor
            call={call}
            agent={agent}
            isDisabled={isBusy || isSettled || !mayAnswer}
            acts={acts}
          />
          <WhoMayAnswer call={call} />
        </div>
      )}
      <div className="button-row call-foot">
        {held ? (
          <HeldNote held={held} onUndo={() => acts.undo(key)} onNow={() => acts.now(key)} />
        ) : isSettled ? (
          <SettledNote card={card} onPutAway={() => acts.putAway(key)} />
        ) : (
          <CallButtons
            {...{ mayAnswer, isPermission, isOpen, isBusy, openLabel }}
            onApprove={() => acts.answer({ call, confirm: { confirmed: true } })}
            onDeny={() => acts.answer({ call, confirm: { confirmed: false } })}
            onOpen={() => acts.open(key, !isOpen)}
          />
        )}
        {call.tool_call && (
          <button
            type="button"
            className="button button-json"
            aria-label="Show as JSON"
            aria-pressed={hasJson}
            onClick={() => setHasJson(!hasJson)}
          >
            <Braces size={16} aria-hidden />
            JSON
          </button>
        )}
      </div>
      {failure !== null && (
        <p role="alert" className="field-error">
          {failure}
        </p>
      )}
      {unsent !== null && state.type === "waiting" && !held && (
        <p role="status" className="notice" data-tone="waiting">
          {UNSENT_WORDS[unsent]} Approve again if you still want it.
        </p>
      )}
    </article>
  );
}

const UNNAMED = { title: null, firstWords: null, lastWords: null };

const OPEN_LABELS: Readonly<Record<string, string>> = {
  awaiting_permission: "Edit, reason, always allow…",
  awaiting_answer: "Answer the question…",
  awaiting_sign_in: "Sign in…",
};

interface EditorProps {
  readonly call: Confirmation;
  readonly agent: Agent | undefined;
  readonly isDisabled: boolean;
  readonly acts: CardActs;
}

function Editor({ call, agent, isDisabled, acts }: EditorProps) {
  if (call.kind === "permission") {
    const schema = inputSchemaOf(agent, call);
    return <ConfirmEditor {...{ call, schema, isDisabled }} onSend={acts.answer} />;
  }
  return (
    <OutsideEditor
      call={call}
      isDisabled={isDisabled}
      onSend={acts.answer}
      onSignedIn={() => acts.signedIn(call)}
    />
  );
}

function InputJson({ call }: { readonly call: Confirmation }) {
  const text = call.tool_call?.input ?? "";
  const value = parseInput(text);
  return value === undefined ? (
    <pre className="plain-text">{text}</pre>
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
