// Names of what pages know by ids: agents, rooms and API keys, from lists that all pages share.
import { useQuery } from "@tanstack/react-query";

import type { Agent } from "../../sdk/index.ts";
import { useMay, useReprise } from "../access/access-context.ts";
import { readAll } from "./read-all.ts";

/** Milliseconds for which a name is taken as it is. */
const STALE_MS = 60_000;
/** Pages of a hundred that are read. What is behind them is shown by its id. */
const MAX_PAGES = 5;
const PAGE = 100;

const NO_AGENTS: ReadonlyMap<string, Agent> = new Map();
const NO_NAMES: ReadonlyMap<string, string> = new Map();

/** Agents by id, as they are now; none for a console that may not read them, and while they are not known. */
export function useAgents(): ReadonlyMap<string, Agent> {
  const reprise = useReprise();
  const { data } = useQuery({
    queryKey: ["agents by id"],
    enabled: useMay("agents:read"),
    staleTime: STALE_MS,
    refetchInterval: STALE_MS,
    queryFn: async () => {
      const list = reprise.agents.list({ limit: PAGE });
      const { rows } = await readAll((page) => list.page(page), MAX_PAGES);
      return new Map(rows.map((agent) => [agent.id, agent]));
    },
  });
  return data ?? NO_AGENTS;
}

/** Titles of rooms by id, the newest ones; of a room without one, its id. */
export function useRoomTitles(): ReadonlyMap<string, string> {
  const reprise = useReprise();
  const { data } = useQuery({
    queryKey: ["room titles"],
    enabled: useMay("rooms:read"),
    staleTime: STALE_MS,
    queryFn: async () => {
      const list = reprise.rooms.list({ limit: PAGE });
      const { rows } = await readAll((page) => list.page(page), MAX_PAGES);
      return new Map(rows.map(({ id, title }) => [id, title ?? id]));
    },
  });
  return data ?? NO_NAMES;
}

/** Names of API keys by id; of a key without one, its first characters. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const reprise = useReprise();
  const { data } = useQuery({
    queryKey: ["key names"],
    enabled: useMay("keys:read"),
    staleTime: STALE_MS,
    queryFn: async () => {
      const list = reprise.apiKeys.list({ limit: PAGE });
      const { rows } = await readAll((page) => list.page(page), MAX_PAGES);
      return new Map(rows.map(({ id, name, prefix }) => [id, name ?? `${prefix}…`]));
    },
  });
  return data ?? NO_NAMES;
}
