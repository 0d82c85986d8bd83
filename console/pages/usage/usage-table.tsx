import { Link } from "@tanstack/react-router";

import { formatCount, formatMoney } from "../../components/charts/format-number.ts";
import { DataTable, type Column } from "../../components/data-table.tsx";
import type { UsageSum } from "./sum-usage.ts";
import type { SeriesBy } from "./usage-filter.ts";

const SECOND_MS = 1_000;
/** The beginning of a room's id, under which its people's speech is counted. */
const ROOM_ID = "room_";

interface UsageTableProps {
  readonly sums: readonly UsageSum[];
  readonly by: SeriesBy;
  readonly seriesWord: string;
  readonly nameOf: (key: string | null) => string;
}

/** The sums of each agent or room, model or end user. Agents and end users lead to their sessions. */
export function UsageTable({ sums, by, seriesWord, nameOf }: UsageTableProps) {
  const isSpoken = sums.some(({ heardMs, saidMs }) => heardMs + saidMs > 0);
  const columns: readonly Column<UsageSum>[] = [
    {
      label: seriesWord.charAt(0).toUpperCase() + seriesWord.slice(1),
      cell: ({ key }) => <Name id={key} by={by} name={nameOf(key)} />,
    },
    {
      label: "Replies",
      align: "end",
      from: "tablet",
      cell: ({ replies }) => formatCount(replies),
    },
    { label: "Tokens in", align: "end", cell: ({ input }) => formatCount(input) },
    {
      label: "From the cache",
      align: "end",
      from: "desktop",
      cell: ({ cached }) => formatCount(cached),
    },
    { label: "Tokens out", align: "end", cell: ({ output }) => formatCount(output) },
    ...(isSpoken ? SPEECH : []),
    {
      label: "Cost",
      align: "end",
      cell: ({ cost }) =>
        cost === null ? <span className="quiet">not known</span> : formatMoney(cost),
    },
  ];
  return (
    <DataTable
      label={`Usage by ${seriesWord}`}
      columns={columns}
      rows={sums}
      keyOf={({ key }) => `${key === null} ${key}`}
    />
  );
}

/** Shown where something was spoken. */
const SPEECH: readonly Column<UsageSum>[] = [
  {
    label: "Seconds heard",
    align: "end",
    from: "desktop",
    cell: ({ heardMs }) => formatCount(Math.round(heardMs / SECOND_MS)),
  },
  {
    label: "Seconds said",
    align: "end",
    from: "desktop",
    cell: ({ saidMs }) => formatCount(Math.round(saidMs / SECOND_MS)),
  },
];

function Name({
  id,
  by,
  name,
}: {
  readonly id: string | null;
  readonly by: SeriesBy;
  readonly name: string;
}) {
  if (id === null) return <span className="quiet">{name}</span>;
  if (by === "model") return <bdi>{name}</bdi>;
  if (by === "agent" && id.startsWith(ROOM_ID)) {
    return (
      <Link to="/rooms/$roomId" params={{ roomId: id }} className="row-link">
        <bdi>{name}</bdi>
      </Link>
    );
  }
  const search = { [by === "agent" ? "agent_id" : "end_user_id"]: id };
  return (
    <Link to="/sessions" search={search as never} className="row-link">
      <bdi>{name}</bdi>
    </Link>
  );
}
