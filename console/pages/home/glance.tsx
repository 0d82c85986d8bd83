import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

import type { SessionStatus } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { formatCompact, formatMoney } from "../../components/charts/format-number.ts";
import { StatCards } from "../../components/charts/stat-cards.tsx";
import { PAGE_ROWS } from "../../components/use-paged.ts";
import { RecentFailures } from "./recent-failures.tsx";
import { RecentSessions } from "./recent-sessions.tsx";

const RELOAD_MS = 15_000;

/** The day's numbers, what waits for a person, and the newest conversations: as far as the console may read them. */
export function Glance() {
  const maySessions = useMay("sessions:read");
  const stats = [...useToday(), ...useWaiting()];
  return (
    <>
      {stats.length > 0 && <StatCards label="Today" stats={stats} />}
      {maySessions && <RecentFailures />}
      {maySessions && <RecentSessions />}
    </>
  );
}

type Stat = { readonly label: string; readonly value: ReactNode; readonly note?: ReactNode };

function useToday(): readonly Stat[] {
  const reprise = useReprise();
  const may = useMay("usage:read");
  const today = new Date().toISOString().slice(0, 10);
  const { data } = useQuery({
    queryKey: ["usage", "today", today],
    queryFn: () => reprise.usage({ from: today, to: today, group_by: "day" }).page(),
    refetchInterval: RELOAD_MS,
    enabled: may,
  });
  if (!may) return [];
  const row = data?.data[0];
  const show = (text: string) => (data ? text : "…");
  return [
    {
      label: "Replies today",
      value: show(formatCompact(row?.replies ?? 0)),
      note: "since 00:00 UTC",
    },
    {
      label: "Tokens today",
      value: show(formatCompact((row?.input_tokens ?? 0) + (row?.output_tokens ?? 0))),
      note: <Link to="/usage">Usage</Link>,
    },
    {
      label: "Cost today",
      value: show(formatMoney(row ? row.cost_usd : 0)),
      note: "by list prices",
    },
  ];
}

const WAITS = [
  ["awaiting_permission", "Wait for permission"],
  ["awaiting_external_result", "Wait for a result"],
] as const satisfies readonly (readonly [SessionStatus, string])[];

function useWaiting(): readonly Stat[] {
  const reprise = useReprise();
  const may = useMay("sessions:read");
  const { data } = useQuery({
    queryKey: ["waiting sessions"],
    queryFn: () =>
      Promise.all(
        WAITS.map(([status]) => reprise.sessions.list({ status, limit: PAGE_ROWS }).page()),
      ),
    refetchInterval: RELOAD_MS,
    enabled: may,
  });
  if (!may) return [];
  return WAITS.map(([status, label], index) => {
    const page = data?.[index];
    const count = page ? `${page.data.length}${page.has_more ? "+" : ""}` : "…";
    return {
      label,
      value: count,
      note: (
        <Link to="/sessions" search={{ status } as never}>
          Sessions
        </Link>
      ),
    };
  });
}
