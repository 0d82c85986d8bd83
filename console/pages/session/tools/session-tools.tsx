import { Trash2 } from "lucide-react";
import { useState } from "react";

import type { SessionToolGroups } from "../../../../sdk/index.ts";
import { useMay, useReprise } from "../../../access/access-context.ts";
import { DangerDialog } from "../../../components/danger-dialog.tsx";
import { TextField } from "../../../components/forms/fields.tsx";
import { DialogForm } from "../../../components/forms/form-dialog.tsx";
import { JsonViewer } from "../../../components/json-viewer.tsx";
import { AddDialog } from "../../../components/list-page/add-dialog.tsx";
import { parseJsonText } from "../../../components/schema-form/parse-json-text.ts";

type Tools = NonNullable<SessionToolGroups["session_tools"]>;

interface SessionToolsProps {
  readonly sessionId: string;
  readonly tools: Tools;
  readonly onChanged: () => Promise<void>;
}

/** The tools that this session has beside its agent's. */
export function SessionTools({ sessionId, tools, onChanged }: SessionToolsProps) {
  const reprise = useReprise();
  const [mayWrite, mayDefine] = [useMay("sessions:write"), useMay("agents:write")];
  const may = mayWrite && mayDefine;
  if (tools.length === 0 && !may) return null;

  /** Changes the list of now: it has no version, and another person may have changed it since it was shown. */
  async function change(next: (tools: Tools) => Tools): Promise<void> {
    const session = reprise.session(sessionId);
    const { session_tools: now = [] } = await session.toolGroups.get();
    await reprise.sessions.update(sessionId, { tools: next(now) });
    await onChanged();
  }

  return (
    <section className="panel" aria-label="The session's own tools">
      <div className="panel-head">
        <h2>The session’s own tools</h2>
        {may && (
          <AddDialog label="Add a tool" title="Give this session a tool" isSecondary>
            {(close) => (
              <AddTool onAdd={(tool) => change((now) => [...now, tool])} onClose={close} />
            )}
          </AddDialog>
        )}
      </div>
      <p className="quiet">
        {tools.length === 0
          ? "None. A tool that is given here is for this session alone, beside those of its agent; "
          : "For this session alone, beside those of its agent; "}
        the list holds from the next reply on.
      </p>
      {tools.length > 0 && (
        <ul className="tool-rows" aria-label="Definitions">
          {tools.map((tool) => (
            <li key={tool.name} className="tool-definition">
              <details>
                <summary>
                  <code>{tool.name}</code> <span className="quiet">{tool.type}</span>
                </summary>
                <JsonViewer value={tool} label={`definition of ${tool.name}`} openLevels={2} />
              </details>
              {may && (
                <DangerDialog
                  title={`Take the tool ${tool.name} away?`}
                  action="Take it away"
                  button={{ icon: Trash2, name: `Take ${tool.name} away`, look: "icon" }}
                  onConfirm={() => change((now) => now.filter(({ name }) => name !== tool.name))}
                >
                  <p>The session does not have it from its next reply on. An open one keeps it.</p>
                </DangerDialog>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const EXAMPLE = {
  type: "external",
  name: "ask_colleague",
  description: "Asks a colleague who knows this customer.",
  input_schema: {
    type: "object",
    properties: { question: { type: "string" } },
    required: ["question"],
  },
};

interface AddToolProps {
  readonly onAdd: (tool: Tools[number]) => Promise<void>;
  readonly onClose: () => void;
}

/** A tool as JSON, with the members that a tool of an agent has. The platform checks it. */
function AddTool({ onAdd, onClose }: AddToolProps) {
  const [text, setText] = useState(() => JSON.stringify(EXAMPLE, null, 2));
  const parsed = parseJsonText(text, false);
  return (
    <DialogForm
      action="Add"
      onCancel={onClose}
      onSubmit={async () => {
        if (!parsed.ok) throw new Error(parsed.problem);
        await onAdd(parsed.value as Tools[number]);
        onClose();
      }}
    >
      <TextField
        label="Definition as JSON"
        hint="As in an agent’s tools."
        error={parsed.ok ? null : parsed.problem}
        lines={14}
        isCode
        value={text}
        onChange={setText}
      />
      <p>
        <a href="/docs/tools">The members of a tool</a>
      </p>
    </DialogForm>
  );
}
