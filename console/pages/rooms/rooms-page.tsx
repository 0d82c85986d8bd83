import { Link, useNavigate } from "@tanstack/react-router";
import { UsersRound } from "lucide-react";
import { useMemo } from "react";

import type { Agent, RoomSummary } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import type { FilterField } from "../../components/filter-bar.tsx";
import { agentField } from "../../components/list-page/agent-field.ts";
import { ResourceList } from "../../components/list-page/resource-list.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { useFilters } from "../../components/use-filters.ts";
import { useAgents } from "../../components/use-names.ts";
import { PAGE_ROWS } from "../../components/use-paged.ts";
import { NewRoom } from "./new-room.tsx";
import { WORDS_OF_ORDER } from "./room-words.ts";

const keyOf = ({ id }: RoomSummary): string => id;

/** All rooms of the tenant, newest first. */
export function RoomsPage() {
  const reprise = useReprise();
  const navigate = useNavigate();
  const filters = useFilters();
  const agents = useAgents();
  const mayWrite = useMay("rooms:write");
  const { agent_id, end_user_id } = filters.values;
  const filter = {
    ...(agent_id !== undefined && { agent_id }),
    ...(end_user_id !== undefined && { end_user_id }),
  };
  const fields = useMemo(() => fieldsOf(agents), [agents]);
  return (
    <ResourceList
      title="Rooms"
      subtitle="Conversations of several agents and people"
      label="Rooms"
      queryKey="rooms"
      filter={filter}
      list={reprise.rooms.list({ ...filter, limit: PAGE_ROWS })}
      keyOf={keyOf}
      columns={COLUMNS}
      fields={fields}
      filters={filters}
      noneFits={<NoneFits />}
      empty={<NoRooms />}
      add={
        mayWrite
          ? {
              label: "New room",
              title: "Open a room",
              form: (done) => <NewRoom agents={agents} {...done} />,
              open: (roomId) => void navigate({ to: "/rooms/$roomId", params: { roomId } }),
            }
          : null
      }
    />
  );
}

const COLUMNS: readonly Column<RoomSummary>[] = [
  {
    label: "Room",
    cell: ({ id, title }) => (
      <Link to="/rooms/$roomId" params={{ roomId: id }} className="row-link">
        {title === null ? <span className="code">{id}</span> : <bdi>{title}</bdi>}
      </Link>
    ),
  },
  {
    label: "Participants",
    cell: ({ participants }) => (
      <span className="room-names">
        {participants.map(({ name, kind }) => (
          <bdi key={name} className={kind === "person" ? "room-person" : undefined}>
            {name}
          </bdi>
        ))}
      </span>
    ),
  },
  { label: "Turns", from: "tablet", cell: ({ turns }) => WORDS_OF_ORDER[turns.order] },
  {
    label: "Opened",
    align: "end",
    from: "tablet",
    cell: ({ created_at }) => <TimeStamp at={created_at} />,
  },
];

function fieldsOf(agents: ReadonlyMap<string, Agent>): readonly FilterField[] {
  return [agentField(agents), { name: "end_user_id", label: "End user", kind: "text" }];
}

function NoneFits() {
  return (
    <EmptyState icon={UsersRound} title="No room fits these filters">
      <p>Filters compare whole ids: check the spelling, or take one off.</p>
    </EmptyState>
  );
}

function NoRooms() {
  return (
    <EmptyState icon={UsersRound} title="There are no rooms yet">
      <p>
        In a room several agents and people speak with each other: one after the other, all at once,
        as they are mentioned, or as a moderator says.
      </p>
      <p>
        <a href="/docs/rooms">Read about rooms</a>
      </p>
    </EmptyState>
  );
}
