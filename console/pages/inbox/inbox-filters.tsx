import { Bookmark, X } from "lucide-react";

import type { Agent } from "../../../sdk/index.ts";
import { FilterBar, type FilterField } from "../../components/filter-bar.tsx";
import { TextField } from "../../components/forms/fields.tsx";
import { DialogForm, FormDialog } from "../../components/forms/form-dialog.tsx";
import type { Filters } from "../../components/use-filters.ts";
import { useState } from "react";
import { useSavedFilters } from "./inbox-settings.ts";
import { isShown, withSaved } from "./saved-filters.ts";

/** Names of the filters, as the address and the API have them. */
export const INBOX_FILTERS = [
  "kind",
  "tool_name",
  "agent_id",
  "end_user_id",
  "session_id",
] as const;

/** An agent is chosen by its name; by its id where the console may not read agents. */
export function agentFilter(agents: ReadonlyMap<string, Agent>): FilterField {
  if (agents.size === 0) return { name: "agent_id", label: "Agent id", kind: "text" };
  const options = [...agents.values()].map(({ id, name }) => [id, name] as const);
  return { name: "agent_id", label: "Agent", kind: "choice", options };
}

function fieldsOf(agents: ReadonlyMap<string, Agent>): readonly FilterField[] {
  return [
    {
      name: "kind",
      label: "Waits for",
      kind: "choice",
      options: [
        ["permission", "Permission"],
        ["external_result", "A result"],
      ],
    },
    { name: "tool_name", label: "Tool", kind: "text" },
    agentFilter(agents),
    { name: "end_user_id", label: "End user", kind: "text" },
    { name: "session_id", label: "Session id", kind: "text" },
  ];
}

interface InboxFiltersProps {
  readonly filters: Filters;
  readonly agents: ReadonlyMap<string, Agent>;
  readonly tenantId: string;
}

/** Filters of the inbox, and those that this person has kept. */
export function InboxFilters({ filters, agents, tenantId }: InboxFiltersProps) {
  const [saved, keep] = useSavedFilters(tenantId);
  const isFiltered = INBOX_FILTERS.some((name) => filters.values[name] !== undefined);
  const isKept = saved.some((one) => isShown(one, filters.values));
  return (
    <>
      <FilterBar fields={fieldsOf(agents)} filters={filters} />
      {(saved.length > 0 || isFiltered) && (
        <div className="button-row" role="group" aria-label="Saved filters">
          {saved.map((one) => (
            <span key={one.name} className="saved-filter">
              <button
                type="button"
                className="button button-small"
                aria-pressed={isShown(one, filters.values)}
                onClick={() => {
                  if (isShown(one, filters.values)) filters.clear();
                  else filters.change({ ...NONE, ...one.values });
                }}
              >
                {one.name}
              </button>
              <button
                type="button"
                className="button button-icon button-small"
                aria-label={`Forget the filter ${one.name}`}
                onClick={() => keep(saved.filter((other) => other !== one))}
              >
                <X size={14} aria-hidden />
              </button>
            </span>
          ))}
          {isFiltered && !isKept && (
            <FormDialog
              title="Save these filters"
              trigger={
                <button type="button" className="button button-small">
                  <Bookmark size={14} aria-hidden />
                  Save these filters
                </button>
              }
            >
              {(close) => (
                <NameForm
                  onClose={close}
                  onName={(name) => keep(withSaved(saved, { name, values: filters.values }))}
                />
              )}
            </FormDialog>
          )}
        </div>
      )}
    </>
  );
}

/** An empty value takes a filter off. */
const NONE = Object.fromEntries(INBOX_FILTERS.map((name) => [name, ""]));

interface NameFormProps {
  readonly onName: (name: string) => void;
  readonly onClose: () => void;
}

function NameForm({ onName, onClose }: NameFormProps) {
  const [name, setName] = useState("");
  return (
    <DialogForm
      action="Save"
      onCancel={onClose}
      onSubmit={async () => {
        onName(name);
        onClose();
      }}
    >
      <TextField
        label="Name"
        hint="This browser keeps it, for you alone."
        isRequired
        value={name}
        onChange={setName}
      />
    </DialogForm>
  );
}
