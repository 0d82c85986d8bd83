import type { Confirmation } from "../../../sdk/index.ts";
import type { Fact } from "./call-facts.ts";

/** Values that are shown; the others are in the JSON. */
const SHOWN = 6;

interface CallValuesProps {
  readonly call: Confirmation;
  readonly facts: readonly Fact[] | null;
}

/** The input of a call as titles and values. */
export function CallValues({ call, facts }: CallValuesProps) {
  if (call.tool_call === null) {
    return <p className="quiet">Its input is too large for this list: its session shows it.</p>;
  }
  if (facts === null) return <pre className="plain-text">{call.tool_call.input}</pre>;
  if (facts.length === 0) return <p className="quiet">It has no arguments.</p>;
  return (
    <dl className="call-values">
      {facts.slice(0, SHOWN).map(({ name, label, text }) => (
        <div key={name}>
          <dt>{label}:</dt>
          <dd>{text}</dd>
        </div>
      ))}
      {facts.length > SHOWN && (
        <div>
          <dt>{facts.length - SHOWN} more:</dt>
          <dd className="quiet">see JSON</dd>
        </div>
      )}
    </dl>
  );
}
