import { Plus, X } from "lucide-react";

export interface RuleDraft {
  readonly id: string;
  readonly behavior: "allow" | "ask" | "deny";
  readonly tool_name: string;
  readonly rule_content: string;
  readonly source: string;
}

interface RuleRowsProps {
  readonly rules: readonly RuleDraft[];
  readonly onChange: (rules: readonly RuleDraft[]) => void;
}

/** Rules to be written: a row each. */
export function RuleRows({ rules, onChange }: RuleRowsProps) {
  const change = (id: string, part: Partial<RuleDraft>) =>
    onChange(rules.map((rule) => (rule.id === id ? { ...rule, ...part } : rule)));
  return (
    <>
      <ul className="rule-rows" aria-label="Changed rules">
        {rules.map((rule, index) => (
          <li key={rule.id}>
            <select
              className="input"
              aria-label={`Decision of rule ${index + 1}`}
              value={rule.behavior}
              onChange={({ currentTarget }) =>
                change(rule.id, { behavior: currentTarget.value as RuleDraft["behavior"] })
              }
            >
              <option value="allow">allow</option>
              <option value="ask">ask</option>
              <option value="deny">deny</option>
            </select>
            <input
              className="input code"
              aria-label={`Tool of rule ${index + 1}`}
              placeholder="tool"
              value={rule.tool_name}
              onChange={({ currentTarget }) => change(rule.id, { tool_name: currentTarget.value })}
            />
            <input
              className="input code"
              aria-label={`Content of rule ${index + 1}`}
              placeholder="every call"
              value={rule.rule_content}
              onChange={({ currentTarget }) =>
                change(rule.id, { rule_content: currentTarget.value })
              }
            />
            <button
              type="button"
              className="button button-icon"
              aria-label={`Remove rule ${index + 1}`}
              onClick={() => onChange(rules.filter(({ id }) => id !== rule.id))}
            >
              <X size={16} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      <div className="button-row">
        <button
          type="button"
          className="button button-small"
          onClick={() =>
            onChange([
              ...rules,
              {
                id: crypto.randomUUID(),
                behavior: "ask",
                tool_name: "",
                rule_content: "",
                source: "agent",
              },
            ])
          }
        >
          <Plus size={14} aria-hidden />
          Add a rule
        </button>
      </div>
    </>
  );
}
