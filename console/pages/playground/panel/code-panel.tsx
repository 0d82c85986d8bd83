import { Code } from "lucide-react";
import { useState, useSyncExternalStore } from "react";

import { CopyButton } from "../../../components/copy-button.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { usePlayground } from "../playground-context.ts";
import { codeOf, type CodeKind } from "./request-code.ts";

const KINDS: readonly (readonly [CodeKind, string])[] = [
  ["curl", "curl"],
  ["typescript", "TypeScript"],
  ["ag-ui", "AG-UI"],
];

/** The last request of this page, as code of one's own that does the same. */
export function CodePanel() {
  const { network, sessionId, agent } = usePlayground();
  const { lastRequest } = useSyncExternalStore(network.subscribe, network.getState);
  const [kind, setKind] = useState<CodeKind>("curl");
  if (!lastRequest) {
    return (
      <EmptyState icon={Code} title="No request yet">
        <p>Send a message or answer a call: here is how your own code does the same.</p>
      </EmptyState>
    );
  }
  const agentId = agent?.agent_id ?? "$AGENT_ID";
  const code = codeOf(kind, lastRequest, { agentId, sessionId });
  return (
    <div className="panel-content">
      <div className="panel-head">
        <div role="group" aria-label="Language" className="segments">
          {KINDS.map(([value, label]) => (
            <button
              key={value}
              type="button"
              className="segment"
              aria-pressed={value === kind}
              onClick={() => setKind(value)}
            >
              {label}
            </button>
          ))}
        </div>
        <CopyButton text={code} what="code" />
      </div>
      <p className="quiet">
        The last request: <code>POST {lastRequest.path}</code>
      </p>
      <pre className="code-text" tabIndex={0} role="region" aria-label="Code of the last request">
        <code>{code}</code>
      </pre>
    </div>
  );
}
