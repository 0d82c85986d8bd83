import { useState } from "react";

import type { Agent } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { ChoiceField, TextField } from "../../components/forms/fields.tsx";
import { DialogForm } from "../../components/forms/form-dialog.tsx";

interface NewStoreProps {
  /** None where the console may not read them. */
  readonly agents: ReadonlyMap<string, Agent>;
  readonly onMade: (id: string) => void;
  readonly onCancel: () => void;
}

/** A store before its first memory; one that is there is opened. */
export function NewStore({ agents, onMade, onCancel }: NewStoreProps) {
  const reprise = useReprise();
  // Null for the first one: the agents may not be known when the form is opened.
  const [chosenAgent, setChosenAgent] = useState<string | null>(null);
  const agentId = chosenAgent ?? firstOf(agents);
  const [endUser, setEndUser] = useState("");
  const options = [...agents.values()].map(({ id, name, memory }) => {
    return [id, memory ? name : `${name} (has no memory)`] as const;
  });
  return (
    <DialogForm
      action="Make"
      onCancel={onCancel}
      onSubmit={async () => {
        const end_user_id = endUser.trim() || null;
        const { id } = await reprise.memoryStores.create({ agent_id: agentId.trim(), end_user_id });
        onMade(id);
      }}
    >
      {options.length > 0 ? (
        <ChoiceField label="Agent" value={agentId} options={options} onChange={setChosenAgent} />
      ) : (
        <TextField label="Agent id" isRequired isCode value={agentId} onChange={setChosenAgent} />
      )}
      <TextField
        label="End user"
        hint="Your id of them. Empty for the store that all end users of the agent share."
        value={endUser}
        onChange={setEndUser}
      />
    </DialogForm>
  );
}

/** One that remembers, where there is one. */
function firstOf(agents: ReadonlyMap<string, Agent>): string {
  const all = [...agents.values()];
  return (all.find(({ memory }) => memory) ?? all[0])?.id ?? "";
}
