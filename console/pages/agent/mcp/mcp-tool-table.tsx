import { useQuery } from "@tanstack/react-query";

import type { McpToolList } from "../../../../sdk/index.ts";
import { useMay, useReprise } from "../../../access/access-context.ts";
import { failureText } from "../../../components/failure-text.ts";
import { useSchemaForm } from "../../../components/schema-form/form-context.ts";
import { isJsonObject, type JsonObject } from "../../../components/schema-form/json-schema.ts";
import { permissionOf, setOffered, setPermission, isOffered } from "./tool-choices.ts";

interface McpToolTableProps {
  /** The entry of the definition. */
  readonly entry: JsonObject;
  readonly onChange: (entry: unknown) => void;
}

const PERMISSIONS = [
  ["", "as the mode says"],
  ["allow", "allow"],
  ["ask", "ask"],
  ["deny", "deny"],
] as const;

/** The tools that the entry's server lists: which of them the model is offered, and what happens to their calls. */
export function McpToolTable({ entry, onChange }: McpToolTableProps) {
  const reprise = useReprise();
  const mayCall = useMay("tools:call");
  const serverId = typeof entry["server_id"] === "string" ? entry["server_id"] : "";
  const isAsked = mayCall && /^mcp_[0-9a-z]{26}$/.test(serverId);
  const { data, error } = useQuery({
    queryKey: ["mcp-tools", serverId],
    queryFn: () => reprise.mcpServers.tools(serverId),
    enabled: isAsked,
  });
  if (!isAsked) return null;
  if (error && !data) {
    return (
      <p className="notice" data-tone="bad">
        Its tools cannot be shown. {failureText(error)}
      </p>
    );
  }
  if (!data) return <p className="quiet">Asking the server for its tools…</p>;
  return (
    <fieldset className="schema-group">
      <legend className="schema-legend">
        Tools of the server <span className="quiet">{data.data.length}</span>
      </legend>
      <p className="field-hint">
        Which of them the model is offered, and what happens to a call that no rule decides.
      </p>
      <ul className="mcp-tools" aria-label="Tools of the server">
        {data.data.map((tool) => (
          <ToolRow key={tool.name} tool={tool} entry={entry} onChange={onChange} />
        ))}
        <li>
          <span>All others</span>
          <PermissionSelect name="*" entry={entry} onChange={onChange} />
        </li>
      </ul>
    </fieldset>
  );
}

interface ToolRowProps extends McpToolTableProps {
  readonly tool: McpToolList["data"][number];
}

function ToolRow({ tool, entry, onChange }: ToolRowProps) {
  const { isReadOnly } = useSchemaForm();
  const { name, description, disabled_reason, ui } = tool;
  const isForPages = ui !== undefined && !ui.visibility.includes("model");
  const why = disabled_reason ?? (isForPages ? "it is for the server's pages alone" : null);
  return (
    <li>
      <label className="check-field" title={description}>
        <input
          type="checkbox"
          checked={why === null && isOffered(entry, name)}
          disabled={isReadOnly || why !== null}
          onChange={({ currentTarget }) => onChange(setOffered(entry, name, currentTarget.checked))}
        />
        <span>
          <span className="code">{name}</span>
          {why !== null && <span className="quiet"> – {why}</span>}
        </span>
      </label>
      {why === null && <PermissionSelect name={name} entry={entry} onChange={onChange} />}
    </li>
  );
}

interface PermissionSelectProps extends McpToolTableProps {
  readonly name: string;
}

function PermissionSelect({ name, entry, onChange }: PermissionSelectProps) {
  const { isReadOnly } = useSchemaForm();
  return (
    <select
      className="input"
      aria-label={name === "*" ? "Permission of all others" : `Permission of ${name}`}
      disabled={isReadOnly}
      value={permissionOf(entry, name)}
      onChange={({ currentTarget }) => onChange(setPermission(entry, name, currentTarget.value))}
    >
      {PERMISSIONS.map(([value, label]) => (
        <option key={value} value={value}>
          {name !== "*" && value === "" && isJsonObject(entry["permissions"])
            ? "as all others"
            : label}
        </option>
      ))}
    </select>
  );
}
