import { ArrowRight } from "lucide-react";

import type { ReplayedCall } from "../../../../sdk/index.ts";
import { DiffText } from "../../../components/diff/diff-text.tsx";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { ANSWER_WORDS, APPROVAL_WORDS, CHANGE_WORDS, type Word } from "./replay-words.ts";

interface ReplayedCallRowProps {
  readonly call: ReplayedCall;
  /** Whether the replay ended at it. */
  readonly isStop: boolean;
}

/** A call of the replay beside the one of the record that it takes the place of. */
export function ReplayedCallRow({ call, isStop }: ReplayedCallRowProps) {
  const { change, tool_name, input, recorded_input, approval, answered } = call;
  const isSame = input === null || recorded_input === null || change === "same";
  return (
    <li data-stop={isStop || undefined}>
      <div className="call-head">
        <strong className="code">{tool_name}</strong>
        <WordBadge word={CHANGE_WORDS[change]} />
        {approval && <WordBadge word={APPROVAL_WORDS[approval]} />}
        <States call={call} />
      </div>
      {isSame ? (
        <pre className="replay-input" tabIndex={0}>
          {pretty(input ?? recorded_input ?? "")}
        </pre>
      ) : (
        <DiffText before={pretty(recorded_input)} after={pretty(input)} />
      )}
      <p className="quiet">
        {isStop && <strong>The replay stopped here. </strong>}
        {answered && sentence(ANSWER_WORDS[answered])}
        {call.approved_by === "assumption" && " Its question was answered as you assumed."}
        {call.approved_by === "recording" && " Its question was answered as in the record."}
      </p>
    </li>
  );
}

function WordBadge({ word: { text, tone } }: { readonly word: Word }) {
  return (
    <span className="badge" data-tone={tone}>
      {text}
    </span>
  );
}

/** End of the call then and now, where the two differ; once where they do not. */
function States({ call: { state, recorded_state } }: { readonly call: ReplayedCall }) {
  if (recorded_state === null || state === null || state === recorded_state) {
    const known = state ?? recorded_state;
    return known && <StatusBadge status={known} />;
  }
  return (
    <span className="change-arrow">
      <StatusBadge status={recorded_state} />
      <ArrowRight size={14} aria-label="becomes" />
      <StatusBadge status={state} />
    </span>
  );
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** JSON by lines, so that a difference is one of members; any other text, and one that is cut, as it is. */
function pretty(input: string): string {
  try {
    return JSON.stringify(JSON.parse(input) as unknown, null, 2);
  } catch {
    return input;
  }
}
