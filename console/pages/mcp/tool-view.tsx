import type { McpServer, McpToolList } from "../../../sdk/index.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { JsonViewer } from "../../components/json-viewer.tsx";
import { CallForm } from "./call-form.tsx";

type Tool = McpToolList["data"][number];

interface ToolViewProps {
  readonly server: McpServer;
  /** End user with whose grant the tool is called; null where the tenant's is used, or none. */
  readonly endUserId: string | null;
  readonly tool: Tool;
}

/** One tool: what its server says of it, why it cannot be used, and a call of it alone. */
export function ToolView({ server, endUserId, tool }: ToolViewProps) {
  const { name, title, description, tool_name, disabled_reason, ui } = tool;
  const said = annotationsOf(tool);
  return (
    <section className="version-detail" aria-label={`Tool ${name}`}>
      <header className="version-head">
        <h2 className="code">{name}</h2>
        {title !== undefined && <span className="quiet">{title}</span>}
      </header>
      {disabled_reason !== null && (
        <p className="notice" data-tone="bad">
          No model is offered it: {disabled_reason}.
        </p>
      )}
      {description === "" ? (
        <p className="quiet">Its server does not say what it does.</p>
      ) : (
        <p className="plain-text">{description}</p>
      )}
      <dl className="facts">
        <div>
          <dt>Models and rules call it</dt>
          <dd className="code">
            {tool_name} <CopyButton text={tool_name} what="tool's name" />
          </dd>
        </div>
        <div>
          <dt>Its server says</dt>
          <dd>
            {said.length > 0 ? said.join(", ") : "nothing"}{" "}
            <span className="quiet">(not checked)</span>
          </dd>
        </div>
        {ui?.resource_uri !== undefined && (
          <div>
            <dt>Page of its results</dt>
            <dd className="code">{ui.resource_uri}</dd>
          </div>
        )}
        {ui && !ui.visibility.includes("model") && (
          <div>
            <dt>Models</dt>
            <dd>are not offered it: it is for the server&apos;s pages</dd>
          </div>
        )}
      </dl>
      {disabled_reason === null && <CallForm {...{ server, endUserId, tool }} />}
      <SchemaDetails what="Input schema" schema={tool.input_schema} />
      {tool.output_schema && <SchemaDetails what="Output schema" schema={tool.output_schema} />}
    </section>
  );
}

function SchemaDetails({ what, schema }: { readonly what: string; readonly schema: object }) {
  return (
    <details className="aside-block">
      <summary>{what}</summary>
      <JsonViewer value={schema} label={what.toLowerCase()} openLevels={2} />
    </details>
  );
}

function annotationsOf({ annotations }: Tool): readonly string[] {
  const { read_only, destructive, idempotent, open_world } = annotations;
  return [
    ...(read_only ? ["it only reads"] : []),
    ...(destructive ? ["it may destroy something"] : []),
    ...(idempotent ? ["repeating it has no further effect"] : []),
    ...(open_world ? ["it deals with the world outside"] : []),
  ];
}
