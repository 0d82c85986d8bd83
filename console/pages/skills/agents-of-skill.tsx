import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";

import type { Agent } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { readAll } from "../../components/read-all.ts";
import { PAGE_ROWS } from "../../components/use-paged.ts";

/** Pages of agents that are looked through: the API has no list of a skill's agents. */
const MOST_PAGES = 5;

interface AgentsOfSkill {
  readonly agents: readonly Agent[];
  /** False when there are more agents than were looked through. */
  readonly isWhole: boolean;
}

/** The agents whose newest version names the skill; undefined while they are looked for, null when that failed. */
export function useAgentsOf(skillId: string): AgentsOfSkill | null | undefined {
  const reprise = useReprise();
  const { data, error } = useQuery({
    queryKey: ["agents-of-skill", skillId],
    queryFn: async () => {
      const { rows, isWhole } = await readAll(
        (page) => reprise.agents.list({ limit: PAGE_ROWS }).page(page),
        MOST_PAGES,
      );
      const agents = rows.filter(({ skills = [] }) =>
        skills.some((skill) => (typeof skill === "string" ? skill : skill.id) === skillId),
      );
      return { agents, isWhole };
    },
  });
  return error && !data ? null : data;
}

/** Their names, each with its page. */
export function AgentLinks({ found }: { readonly found: AgentsOfSkill | null | undefined }) {
  if (found === undefined) return <span className="quiet">…</span>;
  if (found === null) return <span className="quiet">not known</span>;
  const { agents, isWhole } = found;
  return (
    <span className="skill-agents">
      {agents.map(({ id, name }) => (
        <Link key={id} to="/agents/$agentId" params={{ agentId: id }}>
          {name}
        </Link>
      ))}
      {agents.length === 0 && "none"}
      {!isWhole && (
        <span className="quiet"> of the newest {MOST_PAGES * PAGE_ROWS} that were looked at</span>
      )}
    </span>
  );
}
