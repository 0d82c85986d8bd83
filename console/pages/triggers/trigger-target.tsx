import { Link } from "@tanstack/react-router";

import type { Agent, Trigger } from "../../../sdk/index.ts";
import { useRoomTitles } from "../../components/use-names.ts";

interface TargetProps {
  readonly trigger: Pick<Trigger, "agent_id" | "room_id">;
  /** None where the console may not read them. */
  readonly agents: ReadonlyMap<string, Agent>;
}

/** The name of the agent, or of the room, that answers a trigger. */
export function TargetName({ trigger: { agent_id, room_id }, agents }: TargetProps) {
  const rooms = useRoomTitles();
  const id = room_id ?? agent_id ?? "";
  const name = room_id === null ? agents.get(id)?.name : rooms.get(id);
  return <bdi title={id}>{name ?? id}</bdi>;
}

/** The same as a link to it. */
export function TargetLink(props: TargetProps) {
  const { agent_id, room_id } = props.trigger;
  return room_id === null ? (
    <Link to="/agents/$agentId" params={{ agentId: agent_id ?? "" }}>
      <TargetName {...props} />
    </Link>
  ) : (
    <Link to="/rooms/$roomId" params={{ roomId: room_id }}>
      <TargetName {...props} />
    </Link>
  );
}
