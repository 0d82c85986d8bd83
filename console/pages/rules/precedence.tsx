import type { ReactNode } from "react";

import type { PermissionMode, PermissionRule, RuleTestResult } from "../../../sdk/index.ts";
import { RuleText } from "../../components/rule-text.tsx";
import { decidedStep } from "./decided-step.ts";

/** A rule as it is shown, with where it comes from. */
interface ShownRule extends PermissionRule {
  readonly scope: "agent" | "session";
  /** A button that removes it, if it can be. */
  readonly action?: ReactNode;
  /** Tells two equal ones apart. */
  readonly key: string;
}

interface PrecedenceProps {
  readonly mode: PermissionMode;
  readonly rules: readonly ShownRule[];
  /** Result of the simulator, whose rule is marked. */
  readonly result: RuleTestResult | null;
}

const MODES: Readonly<Record<PermissionMode, string>> = {
  default: "asks a person",
  accept_edits: "asks a person; changes inside the working directories are allowed",
  explore: "is denied",
  bypass: "is allowed",
  dont_ask: "is denied, and so is every call that would ask",
};

/** The order in which a call is decided, with the rules of each step: the first that applies decides. */
export function Precedence({ mode, rules, result }: PrecedenceProps) {
  const of = (behavior: string) => rules.filter((rule) => rule.behavior === behavior);
  const step = result && decidedStep(result, mode);
  const decides = (number: number) => (number === step ? { "data-decides": "" } : {});
  const list = (behavior: "allow" | "ask" | "deny") => (
    <RuleList rules={of(behavior)} decided={result?.rule ?? null} />
  );
  return (
    <ol className="precedence" aria-label="Order of precedence">
      <li {...decides(1)}>
        A <strong>deny</strong> rule that matches
        {list("deny")}
      </li>
      <li {...decides(2)}>
        Untrusted content: a call of a sink asks once the model was sent a result that is not
        trusted
      </li>
      <li {...decides(3)}>
        An <strong>ask</strong> rule that matches
        {list("ask")}
      </li>
      <li {...decides(4)}>The call only reads: it is allowed</li>
      <li {...decides(5)}>
        Mode <code>explore</code>
        {mode === "explore" ? ": everything else is denied" : " (not on)"}
      </li>
      <li {...decides(6)}>The tool’s own check: a call that is dangerous in itself asks</li>
      <li {...decides(7)}>
        An <strong>allow</strong> rule that matches
        {list("allow")}
      </li>
      <li {...decides(8)}>
        Mode <code>{mode}</code>: what none of these decided {MODES[mode]}
      </li>
    </ol>
  );
}

interface RuleListProps {
  readonly rules: readonly ShownRule[];
  readonly decided: PermissionRule | null;
}

function RuleList({ rules, decided }: RuleListProps) {
  if (rules.length === 0) return <div className="quiet">none</div>;
  const marked = decided && rules.find((rule) => isSame(rule, decided));
  return (
    <ul>
      {rules.map((rule) => (
        <li key={rule.key} {...(rule === marked && { "data-decides": "" })}>
          <RuleText rule={rule} />
          <span className="quiet">
            {rule.scope === "agent" ? "the agent’s" : "the session’s"}
            {rule.source !== rule.scope && ` · ${rule.source}`}
          </span>
          {rule.action}
        </li>
      ))}
    </ul>
  );
}

function isSame(rule: PermissionRule, other: PermissionRule): boolean {
  return (
    rule.tool_name === other.tool_name &&
    (rule.rule_content ?? "") === (other.rule_content ?? "") &&
    rule.behavior === other.behavior &&
    rule.source === other.source
  );
}
