// The target of a trigger: an agent, each run in a session, or a room, whose participants have sessions of their own.
import type { Trigger, TriggerDefinition } from "./contract.ts";

/** The definition of a trigger that an agent answers. */
export interface AgentTriggerDefinition extends TriggerDefinition {
  readonly agent_id: string;
  readonly agent_version: NonNullable<Trigger["agent_version"]>;
  readonly session: NonNullable<Trigger["session"]>;
  readonly permission: NonNullable<Trigger["permission"]>;
}

/** False for a trigger that a room answers. */
export function isOfAgent(definition: TriggerDefinition): definition is AgentTriggerDefinition {
  return definition.agent_id !== null;
}

/** Both ids, one of which is null. Definitions of before rooms were targets have no `room_id`. */
export function targetOf({
  agent_id,
  room_id,
}: Pick<TriggerDefinition, "agent_id" | "room_id">): Pick<Trigger, "agent_id" | "room_id"> {
  return { agent_id, room_id: room_id ?? null };
}

/** The names that it mentions, as {@link targetOf} of a definition of any age. */
export function mentionsOf({
  mentions,
}: Partial<Pick<TriggerDefinition, "mentions">>): TriggerDefinition["mentions"] {
  return mentions ?? [];
}

/** Members that the participants of a room have of their own, so that its triggers have none. */
const OF_AGENTS = ["agent_version", "session", "permission", "budget", "end_user_id"] as const;

interface TargetProblem {
  readonly pointer: `#/${string}`;
  readonly detail: string;
}

/**
 * The first member of a request that a trigger with this target cannot have; null when there is none.
 * @param members Those of the request; null takes something away, which is not there.
 */
export function findTargetProblem(
  { room_id }: Pick<TriggerDefinition, "room_id">,
  members: Readonly<Partial<Record<(typeof OF_AGENTS)[number] | "mentions", unknown>>>,
): TargetProblem | null {
  if (room_id === null) {
    const { mentions } = members;
    if (!Array.isArray(mentions) || mentions.length === 0) return null;
    return { pointer: "#/mentions", detail: "names participants of a room, and an agent answers" };
  }
  const given = OF_AGENTS.find((name) => (members[name] ?? null) !== null);
  if (given === undefined) return null;
  const detail = "is of triggers of an agent: the participants of a room have their own";
  return { pointer: `#/${given}`, detail };
}
