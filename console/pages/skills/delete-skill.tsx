import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";

import type { Skill } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { DangerDialog } from "../../components/danger-dialog.tsx";
import { AgentLinks, useAgentsOf } from "./agents-of-skill.tsx";

/** Deletes a skill, after it has said what that means for the agents that have it. */
export function DeleteSkill({ skill }: { readonly skill: Skill }) {
  const reprise = useReprise();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { id, name, version } = skill;
  const found = useAgentsOf(id);
  const isUsed = !found || found.agents.length > 0 || !found.isWhole;
  return (
    <DangerDialog
      button={{ icon: Trash2 }}
      title={`Delete the skill ${name}?`}
      action="Delete"
      onConfirm={async () => {
        await reprise.skills.delete(id);
        queries.removeQueries({ queryKey: ["skills"] });
        await navigate({ to: "/skills" });
        queries.removeQueries({ queryKey: ["skill", id] });
      }}
    >
      <p>
        {version === 1
          ? "Its version and its files are"
          : `All ${version} versions and their files are`}{" "}
        erased. This cannot be undone.
      </p>
      {isUsed ? (
        <p>
          Agents that have it: <AgentLinks found={found} />. They go on without it: their next reply
          is told that the skill is not available any more, until you take it out of their{" "}
          <code>skills</code>. A reply that runs gets an error text when it reads the skill.
        </p>
      ) : (
        <p>No agent has it.</p>
      )}
    </DangerDialog>
  );
}
