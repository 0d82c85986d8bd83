import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import type { Agent, PermissionMode, Warning } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { DangerDialog } from "../../components/danger-dialog.tsx";
import { failureText } from "../../components/failure-text.ts";
import { ChoiceField, TextField } from "../../components/forms/fields.tsx";
import { useWarnings } from "../../components/use-warnings.ts";
import { WarningList } from "../../components/warning-list.tsx";
import { RuleRows, type RuleDraft } from "./rule-rows.tsx";
import { addPage, FIRST_FINDINGS, type Findings } from "./findings.ts";
import { FindingList } from "./finding-list.tsx";

interface TryRulesProps {
  readonly agent: Agent;
  readonly tools: readonly string[];
}

const MODES: readonly PermissionMode[] = [
  "default",
  "accept_edits",
  "explore",
  "bypass",
  "dont_ask",
];

/** Other rules for an agent: which past calls they would have decided otherwise; and a version with them. */
export function TryRules({ agent, tools }: TryRulesProps) {
  const reprise = useReprise();
  const queries = useQueryClient();
  const mayWrite = useMay("agents:write");
  const [mode, setMode] = useState(agent.permission.mode);
  const [rules, setRules] = useState<readonly RuleDraft[]>(() => toDrafts(agent));
  const [since, setSince] = useState("");
  const [findings, setFindings] = useState<Findings | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const permission = { mode, rules: rules.map(toRule) };
  const unknown = rules.filter(({ tool_name }) => !tools.includes(tool_name.trim()));
  const isUnnamed = rules.some(({ tool_name }) => tool_name.trim() === "");
  const warnings = useWarnings(mayWrite && !isUnnamed ? { permission } : null, {
    name: `rules of ${agent.id}`,
    check: (changes, options) => reprise.agents.validateUpdate(agent.id, changes, options),
  });

  /** Findings for other rules than the ones that are shown would mislead. */
  function drop(): void {
    setFindings(null);
    setFailure(null);
  }

  async function look(before: Findings): Promise<void> {
    setIsBusy(true);
    setFailure(null);
    try {
      const page = await reprise.agents.simulatePermission(agent.id, {
        version: agent.version,
        permission,
        ...(since !== "" && { since: new Date(`${since}T00:00:00`).toISOString() }),
        ...(before.nextPage !== null && { page: before.nextPage }),
      });
      setFindings(addPage(before, page));
    } catch (error) {
      setFailure(failureText(error));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <section className="panel" aria-label="Try other rules">
      <div className="panel-head">
        <h2>Try other rules on past calls</h2>
        <span className="quiet">Nothing is changed by trying.</span>
      </div>
      <RuleRows
        rules={rules}
        onChange={(next) => {
          setRules(next);
          drop();
        }}
      />
      <WarningList warnings={warnings.flatMap(ofRule)} />
      {!mayWrite && unknown.length > 0 && !isUnnamed && (
        <p className="quiet">
          Not a tool of this version: {unknown.map(({ tool_name }) => tool_name).join(", ")}
        </p>
      )}
      <div className="form-row">
        <ChoiceField
          label="Mode"
          value={mode}
          options={MODES.map((name) => [name, name])}
          onChange={(name) => {
            setMode(name as PermissionMode);
            drop();
          }}
        />
        <TextField
          label="Calls since"
          type="date"
          value={since}
          onChange={(day) => {
            setSince(day);
            drop();
          }}
        />
      </div>
      <div className="button-row">
        <button
          type="button"
          className="button button-primary"
          disabled={isBusy || isUnnamed}
          onClick={() => void look(FIRST_FINDINGS)}
        >
          {isBusy ? "Comparing…" : "Which past calls change?"}
        </button>
        {mayWrite && (
          <DangerDialog
            button={{ text: "Save as a new version", isOff: isUnnamed }}
            title="Save these rules?"
            action="Save"
            onConfirm={async () => {
              await reprise.agents.update(agent.id, { permission });
              await queries.invalidateQueries({ queryKey: ["agent", agent.id] });
            }}
          >
            <p>
              The agent gets a new version with them. Sessions that are open keep the version that
              they began with, unless they follow the latest.
            </p>
          </DangerDialog>
        )}
      </div>
      {failure !== null && (
        <p role="alert" className="field-error">
          {failure}
        </p>
      )}
      {findings && (
        <FindingList
          findings={findings}
          isBusy={isBusy}
          onMore={findings.nextPage === null ? undefined : () => void look(findings)}
        />
      )}
    </section>
  );
}

/** The warning with the rule's place in words; none about another part of the agent. */
function ofRule({ pointer, detail }: Warning): readonly Warning[] {
  const [, index] = /^#\/permission\/rules\/(\d+)/.exec(pointer) ?? [];
  return index === undefined ? [] : [{ pointer: `Rule ${Number(index) + 1}`, detail }];
}

function toDrafts(agent: Agent): readonly RuleDraft[] {
  return agent.permission.rules.map((rule, index) => ({
    id: `${index}`,
    behavior: rule.behavior === "passthrough" ? "ask" : rule.behavior,
    tool_name: rule.tool_name,
    rule_content: rule.rule_content ?? "",
    source: rule.source,
  }));
}

function toRule({ behavior, tool_name, rule_content, source }: RuleDraft) {
  return { behavior, tool_name: tool_name.trim(), rule_content: rule_content || null, source };
}
