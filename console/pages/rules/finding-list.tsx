import { Link } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";

import type { SimulatedCall } from "../../../sdk/index.ts";
import { BehaviorBadge, RuleText } from "../../components/rule-text.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import type { Findings } from "./findings.ts";

interface FindingListProps {
  readonly findings: Findings;
  readonly isBusy: boolean;
  /** Goes on with older sessions; undefined when all were asked. */
  readonly onMore: (() => void) | undefined;
}

/** Past calls that other rules would have decided otherwise. */
export function FindingList({ findings, isBusy, onMore }: FindingListProps) {
  const { calls, compared, skipped, sessions, failed } = findings;
  return (
    <div className="form-stack">
      <p role="status" className="notice" data-tone={calls.length > 0 ? "waiting" : undefined}>
        {calls.length === 0
          ? `No call changes, of ${compared} in ${sessions} sessions.`
          : `${calls.length} of ${compared} calls in ${sessions} sessions would be decided otherwise.`}
        {skipped > 0 && ` ${skipped} could not be compared.`}
        {failed > 0 && ` ${failed} sessions did not answer.`}
      </p>
      {calls.length > 0 && (
        <ul className="outcome-list findings" aria-label="Calls that change">
          {calls.map((call) => (
            <Finding key={`${call.session_id} ${call.tool_call_id}`} call={call} />
          ))}
        </ul>
      )}
      {onMore && (
        <div className="button-row">
          <button type="button" className="button" disabled={isBusy} onClick={onMore}>
            Look at older sessions
          </button>
        </div>
      )}
    </div>
  );
}

function Finding({ call }: { readonly call: SimulatedCall }) {
  const { rule, reason } = call.after;
  return (
    <li>
      <Link to="/sessions/$sessionId" params={{ sessionId: call.session_id }} className="code">
        {call.tool_name}
      </Link>
      <span className="change-arrow">
        <BehaviorBadge behavior={call.before.behavior} />
        <ArrowRight size={14} aria-label="becomes" />
        <BehaviorBadge behavior={call.after.behavior} />
      </span>
      <span className="quiet">{rule ? <RuleText rule={rule} /> : reason}</span>
      <span className="quiet">
        <TimeStamp at={call.decided_at} />
      </span>
    </li>
  );
}
