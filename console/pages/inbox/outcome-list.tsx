import { Link } from "@tanstack/react-router";
import { useState } from "react";

import { TimeStamp } from "../../components/time-stamp.tsx";
import type { Fact } from "./call-facts.ts";
import type { Answered } from "./waiting-list.ts";
import { WhoDecided } from "./who-decided.tsx";

interface OutcomeListProps {
  /** Newest first. */
  readonly answers: readonly Answered[];
  readonly factsOf: (call: Answered["call"]) => readonly Fact[] | null;
  readonly onClear: () => void;
}

const VIEWS = [
  ["mine", "Mine"],
  ["others", "By others"],
  ["all", "All"],
] as const;
type View = (typeof VIEWS)[number][0];

/** Answers that were given on this page, and those of others that it saw. */
export function OutcomeList({ answers, factsOf, onClear }: OutcomeListProps) {
  const [view, setView] = useState<View>("mine");
  const shown = answers.filter(({ by, outcome }) => {
    if (view === "all") return true;
    return view === "mine" ? by === "me" : outcome.kind === "elsewhere";
  });
  return (
    <section className="panel inbox-answers" aria-label="Your answers">
      <div className="panel-head">
        <h2>Your answers</h2>
        {answers.length > 0 && (
          <button type="button" className="button button-small" onClick={onClear}>
            Clear
          </button>
        )}
      </div>
      <div className="button-row" role="group" aria-label="Whose answers">
        {VIEWS.map(([name, words]) => (
          <button
            key={name}
            type="button"
            className="button button-small"
            aria-pressed={view === name}
            onClick={() => setView(name)}
          >
            {words}
          </button>
        ))}
      </div>
      {shown.length === 0 && <p className="quiet">{NONE[view]}</p>}
      {shown.length > 0 && (
        // Scrolled by keys too.
        <ul className="outcome-list" tabIndex={0} aria-label="Answers">
          {shown.map((answered, index) => (
            <Item
              key={`${answered.key} ${answered.atMs} ${shown.length - index}`}
              answered={answered}
              facts={factsOf(answered.call)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

const NONE: Readonly<Record<View, string>> = {
  mine: "What you answer on this page is listed here, with its outcome.",
  others: "Calls that others answer while this page is open are listed here.",
  all: "Nothing was answered since this page was opened. The history has what was before.",
};

const TONES = { done: "good", elsewhere: "waiting", refused: "bad" } as const;
/** Values of a call that are shown: what it is about, and how much. */
const SHOWN_FACTS = 2;

interface ItemProps {
  readonly answered: Answered;
  readonly facts: readonly Fact[] | null;
}

function Item({ answered: { call, outcome, by, atMs }, facts }: ItemProps) {
  const { kind, intent, detail } = outcome;
  const words = {
    done: intent,
    elsewhere: by === "me" ? "too late" : "elsewhere",
    refused: "refused",
  };
  const values = [...(facts ?? [])].sort(byMoney).slice(0, SHOWN_FACTS);
  return (
    <li>
      <span className="badge" data-tone={by === "me" ? TONES[kind] : "quiet"}>
        {words[kind]}
      </span>
      <span className="outcome-what">
        {values.map(({ text }) => text).join(" · ")}{" "}
        <Link to="/sessions/$sessionId" params={{ sessionId: call.session_id }} className="code">
          {call.tool_name}
        </Link>{" "}
        <span className="quiet">
          {call.end_user_id} <TimeStamp at={new Date(atMs).toISOString()} />
        </span>
        {detail !== "" && kind !== "done" && <span> {detail}</span>}
        {kind === "elsewhere" && (
          <span className="quiet">
            {" ("}
            <WhoDecided call={call} />)
          </span>
        )}
      </span>
    </li>
  );
}

/** Money first: it is what the answer was about. */
function byMoney(one: Fact, other: Fact): number {
  return Number(Boolean(other.amount?.currency)) - Number(Boolean(one.amount?.currency));
}
