import { useState } from "react";

import { useReprise } from "../../access/access-context.ts";
import { ChoiceField, TextField } from "../../components/forms/fields.tsx";
import { DialogForm } from "../../components/forms/form-dialog.tsx";
import { useAgents } from "../../components/use-names.ts";

interface NewConsolidationProps {
  readonly storeId: string;
  readonly agentId: string;
  readonly onBegun: () => void;
  readonly onClose: () => void;
}

/** A consolidation of the whole store. Its model is one of the agent's. */
export function NewConsolidation({ storeId, agentId, onBegun, onClose }: NewConsolidationProps) {
  const reprise = useReprise();
  const agent = useAgents().get(agentId);
  const [model, setModel] = useState("");
  const [instructions, setInstructions] = useState("");
  const [tokens, setTokens] = useState("");
  const others = [...(agent?.fallback_models ?? []), ...(agent?.allowed_models ?? [])];
  return (
    <DialogForm
      action="Consolidate"
      onCancel={onClose}
      onSubmit={async () => {
        const words = instructions.trim();
        const most = tokens.trim().replaceAll(/[\s.,]/g, "");
        if (!/^\d*$/.test(most)) throw new Error("The tokens are a number.");
        await reprise.memoryStores.consolidations(storeId).create({
          ...(model !== "" && { model }),
          ...(words !== "" && { instructions: words }),
          ...(most !== "" && { max_tokens: Number(most) }),
        });
        onBegun();
        onClose();
      }}
    >
      <p>
        A model goes over all memories of this store in batches, and takes into one what says the
        same, is outdated or contradicts each other. Old texts stay in the history.
      </p>
      {others.length > 0 && (
        <ChoiceField
          label="Model"
          value={model}
          options={[
            ["", `The agent’s own${agent ? `: ${agent.model.name}` : ""}`],
            ...others.map(({ name }) => [name, name] as const),
          ]}
          onChange={setModel}
        />
      )}
      <TextField
        label="Instructions"
        hint="What to keep apart, or to look for; may be empty."
        lines={3}
        value={instructions}
        onChange={setInstructions}
      />
      <TextField
        label="Tokens at most"
        hint="Of all its model calls; the tenant’s tokens of the day hold too. Empty for no bound of its own."
        value={tokens}
        onChange={setTokens}
      />
    </DialogForm>
  );
}
