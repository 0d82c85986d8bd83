import type { CalledTool } from "../../../../sdk/index.ts";
import { formatCount } from "../../../components/charts/format-number.ts";
import { DataBlockView } from "../../../components/data-block-view.tsx";
import { JsonViewer } from "../../../components/json-viewer.tsx";
import { BehaviorBadge, RuleText } from "../../../components/rule-text.tsx";
import { StatusBadge } from "../../../components/status-badge.tsx";

/** Answer of a tool, and the decision of the permission rules about the call. */
export function CalledToolView({ called }: { readonly called: CalledTool }) {
  const { result, permission, http_status, duration_ms, is_truncated } = called;
  const { behavior, rule, reason } = permission;
  return (
    <section className="panel" aria-label="Result">
      <header className="call-head" role="status">
        <h3>Result</h3>
        <StatusBadge status={result.state} />
        <span className="quiet">
          {http_status !== null && `HTTP ${http_status} · `}
          {formatCount(duration_ms)} ms
        </span>
      </header>
      {result.output.length === 0 && <p className="quiet">It answered nothing.</p>}
      {result.output.map((block) =>
        block.type === "text" ? (
          <OutputText key={block.id} text={block.text} />
        ) : (
          <DataBlockView key={block.id} block={block} />
        ),
      )}
      {is_truncated && (
        <p className="quiet">There was more: what is too large to be shown is left out.</p>
      )}
      {Object.keys(result.metadata).length > 0 && (
        <JsonViewer value={result.metadata} label="metadata of the result" />
      )}
      <p className="tool-decision">
        <span>In a session a model&apos;s call like this one</span>
        <BehaviorBadge behavior={behavior} />
        {rule ? (
          <RuleText rule={rule} />
        ) : (
          reason !== null && <span className="quiet">{reason}</span>
        )}
      </p>
    </section>
  );
}

function OutputText({ text }: { readonly text: string }) {
  const value = parseTree(text);
  if (value !== undefined) return <JsonViewer value={value} label="output" openLevels={2} />;
  return (
    <pre className="replay-input plain-text" tabIndex={0}>
      {text}
    </pre>
  );
}

/** The value of an object or a list; undefined for any other text. */
function parseTree(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
