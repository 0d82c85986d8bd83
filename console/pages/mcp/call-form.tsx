import { useMutation } from "@tanstack/react-query";

import type { McpServer, McpToolList, McpToolResult } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { formatCount } from "../../components/charts/format-number.ts";
import { DataBlockView } from "../../components/data-block-view.tsx";
import { failureText } from "../../components/failure-text.ts";
import { JsonViewer } from "../../components/json-viewer.tsx";
import type { JsonObject } from "../../components/schema-form/json-schema.ts";
import { ToolCallForm } from "../../components/schema-form/tool-call-form.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";

interface CallFormProps {
  readonly server: McpServer;
  /** End user with whose grant the tool is called; null where the tenant's is used, or none. */
  readonly endUserId: string | null;
  readonly tool: McpToolList["data"][number];
}

/** A tool's arguments as a form of its schema, and what it gives. */
export function CallForm({ server, endUserId, tool: { name, input_schema } }: CallFormProps) {
  const reprise = useReprise();
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: (given: JsonObject) =>
      reprise.mcpServers.callTool(server.id, name, {
        input: given as Record<string, never>,
        ...(endUserId !== null && { end_user_id: endUserId }),
      }),
  });
  return (
    <>
      <ToolCallForm name={name} schema={input_schema} isPending={isPending} onCall={mutate}>
        The tool is really called, with{" "}
        {endUserId === null ? "the server's credential" : `the grant of ${endUserId}`}. No rule and
        no person decides here, and nothing enters a session.
      </ToolCallForm>
      {error && !isPending && (
        <div role="alert" className="notice" data-tone="bad">
          {failureText(error)}
        </div>
      )}
      {data && !isPending && <ResultView result={data} />}
    </>
  );
}

function ResultView({ result }: { readonly result: McpToolResult }) {
  const { state, content, structured_content, duration_ms } = result;
  return (
    <section className="panel" aria-label="Result">
      <header className="call-head" role="status">
        <h3>Result</h3>
        <StatusBadge status={state} />
        <span className="quiet">{formatCount(duration_ms)} ms</span>
      </header>
      {content.length === 0 && <p className="quiet">It gave nothing.</p>}
      {content.map((block, index) =>
        // Blocks have no ids, and their list does not change.
        block.type === "text" ? (
          <pre key={index} className="replay-input plain-text" tabIndex={0}>
            {block.text}
          </pre>
        ) : (
          <DataBlockView key={index} block={toDataBlock(block, index)} />
        ),
      )}
      {structured_content !== null && (
        <>
          <p className="quiet">Structured content</p>
          <JsonViewer value={structured_content} label="structured content" openLevels={2} />
        </>
      )}
    </section>
  );
}

type Content = McpToolResult["content"][number];

function toDataBlock({ source }: Extract<Content, { type: "data" }>, index: number) {
  const times = { created_at: "", finished_at: "" };
  return { type: "data" as const, id: `content_${index}`, source, name: null, ...times };
}
