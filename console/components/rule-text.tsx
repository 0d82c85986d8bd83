import type { PermissionRule } from "../../sdk/index.ts";

/** A permission rule as one line: `deny refund_order(A-1001)`. A rule without content is about every call. */
export function RuleText({ rule }: { readonly rule: PermissionRule }) {
  return (
    <span className="rule-text">
      <span className="badge" data-tone={RULE_TONES[rule.behavior] ?? "quiet"}>
        {rule.behavior}
      </span>{" "}
      <code>
        {rule.tool_name}
        {rule.rule_content ? `(${rule.rule_content})` : ""}
      </code>
      {!rule.rule_content && <span className="quiet"> every call</span>}
    </span>
  );
}

const RULE_TONES: Readonly<Record<string, string>> = { allow: "good", ask: "waiting", deny: "bad" };

/** Decision about a call, made or expected. */
export function BehaviorBadge({ behavior }: { readonly behavior: string }) {
  return (
    <span className="badge" data-tone={RULE_TONES[behavior] ?? "quiet"}>
      {behavior}
    </span>
  );
}
