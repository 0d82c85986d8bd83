import { useState } from "react";

import type { RuleTestResult } from "../../../sdk/index.ts";
import { failureText } from "../../components/failure-text.ts";
import { TextField } from "../../components/forms/fields.tsx";
import { BehaviorBadge, RuleText } from "../../components/rule-text.tsx";

interface TryCallProps {
  /** Names of tools, to be offered. */
  readonly tools: readonly string[];
  readonly onTry: (call: {
    tool_name: string;
    input: Record<string, never>;
  }) => Promise<RuleTestResult>;
  /** Null when the last try does not count any more. */
  readonly onResult: (result: RuleTestResult | null) => void;
  readonly result: RuleTestResult | null;
}

/** Type a call, see what is decided about it and why. Nothing runs. */
export function TryCall({ tools, onTry, onResult, result }: TryCallProps) {
  const [typed, setTyped] = useState<string | null>(null);
  // The tools may come later than the first letters of the input.
  const tool = typed ?? tools[0] ?? "";
  const [input, setInput] = useState("{}");
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const value = parseObject(input);

  async function ask(): Promise<void> {
    if (value === null) return;
    setIsBusy(true);
    setFailure(null);
    try {
      onResult(await onTry({ tool_name: tool.trim(), input: value }));
    } catch (error) {
      onResult(null);
      setFailure(failureText(error));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <section className="panel" aria-label="Try a call">
      <h2>Try a call</h2>
      <form
        className="form-stack"
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
        }}
      >
        {/* A name that arrived while a person types would be mixed with what is typed. */}
        <div onFocus={() => setTyped(tool)}>
          <TextField
            label="Tool"
            hint={
              tools.length > 0 ? `The agent has ${tools.join(", ")}.` : "The agent has no tools."
            }
            isRequired
            isCode
            value={tool}
            onChange={(name) => {
              setTyped(name);
              onResult(null);
            }}
          />
        </div>
        <TextField
          label="Input"
          error={value === null ? "This is no JSON object." : null}
          lines={4}
          isCode
          value={input}
          onChange={(text) => {
            setInput(text);
            onResult(null);
          }}
        />
        <div className="button-row">
          <button
            type="submit"
            className="button button-primary"
            disabled={isBusy || value === null || tool.trim() === ""}
          >
            What is decided?
          </button>
        </div>
      </form>
      {failure !== null && (
        <p role="alert" className="field-error">
          {failure}
        </p>
      )}
      <div role="status">{result && <Outcome result={result} />}</div>
    </section>
  );
}

function Outcome({ result }: { readonly result: RuleTestResult }) {
  return (
    <div className="form-stack" data-testid="decision">
      <p>
        <BehaviorBadge behavior={result.behavior} /> {result.reason}
      </p>
      <p>
        {result.rule ? (
          <>
            By the rule <RuleText rule={result.rule} />
          </>
        ) : (
          <span className="quiet">No rule decided: the tool’s definition or the mode did.</span>
        )}
      </p>
      {result.suggested_rules.length > 0 && (
        <div>
          <h3>Rules that would allow such calls</h3>
          <ul className="outcome-list">
            {result.suggested_rules.map((rule) => (
              <li key={`${rule.tool_name} ${rule.rule_content ?? ""}`}>
                <RuleText rule={rule} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function parseObject(text: string): Record<string, never> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, never>) : null;
  } catch {
    return null;
  }
}
