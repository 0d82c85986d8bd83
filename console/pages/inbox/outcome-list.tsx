import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";

import { useMay, useReprise } from "../../access/access-context.ts";
import { keyOfCall, type CallOutcome } from "./answer-calls.ts";

interface OutcomeListProps {
  /** Newest first. */
  readonly outcomes: readonly CallOutcome[];
  readonly onClear: () => void;
}

const TONES = { done: "good", elsewhere: "waiting", refused: "bad" } as const;
const WORDS = { elsewhere: "too late", refused: "refused" } as const;

/** Outcome of each answer that was given on this page. */
export function OutcomeList({ outcomes, onClear }: OutcomeListProps) {
  return (
    <section className="panel" aria-label="Your answers">
      <div className="panel-head">
        <h2>Your answers</h2>
        <button type="button" className="button button-small" onClick={onClear}>
          Clear
        </button>
      </div>
      <div role="status">
        <ul className="outcome-list">
          {outcomes.map(({ call, kind, intent, detail }, index) => (
            <li key={`${keyOfCall(call)} ${outcomes.length - index}`}>
              <span className="badge" data-tone={TONES[kind]}>
                {kind === "done" ? intent : WORDS[kind]}
              </span>
              <Link
                to="/sessions/$sessionId"
                params={{ sessionId: call.session_id }}
                className="code"
              >
                {call.tool_name}
              </Link>
              <span className="quiet">{call.end_user_id}</span>
              {kind !== "done" && <span>{detail}</span>}
              {kind === "elsewhere" && (
                <WhoDecided sessionId={call.session_id} callId={call.tool_call_id} />
              )}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** Maker of the first decision, from the session's record of decisions. */
function WhoDecided(props: { readonly sessionId: string; readonly callId: string }) {
  const { sessionId, callId } = props;
  const reprise = useReprise();
  const mayRead = useMay("permission_rules:read");
  const { data } = useQuery({
    queryKey: ["decided", sessionId, callId],
    enabled: mayRead,
    queryFn: async () => {
      const { data: decisions } = await reprise.session(sessionId).decisions({ limit: 100 }).page();
      return decisions.find((decision) => decision.tool_call_id === callId) ?? null;
    },
  });
  if (!data || data.behavior === "ask") return null;
  const { kind, id } = data.decided_by;
  return (
    <span className="quiet">
      ({data.behavior} by {kind.replaceAll("_", " ")} {id})
    </span>
  );
}
