import { Tabs } from "@base-ui/react/tabs";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ArrowLeft, BookMarked, Trash2 } from "lucide-react";

import type { MemoryStoreRecord } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { formatBytes } from "../../components/charts/format-number.ts";
import { CodeId } from "../../components/code-id.tsx";
import { DangerDialog } from "../../components/danger-dialog.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { AddDialog } from "../../components/list-page/add-dialog.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { FoundMemoriesTable } from "../../components/memory/found-memories.tsx";
import { MEMORY_COLUMNS } from "../../components/memory/memory-columns.tsx";
import { useMemoryRoom } from "../../components/memory/use-memory-room.ts";
import { MissingRight } from "../../components/missing-right.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { useFilters } from "../../components/use-filters.ts";
import { useAgents } from "../../components/use-names.ts";
import { ConsolidationsView } from "./consolidations-view.tsx";
import { VersionList } from "./version-list.tsx";
import { WriteMemory } from "./write-memory.tsx";

/** Milliseconds between two looks at the store: its number of memories, and whether it is there. */
const LOOK_MS = 4_000;

const TABS = [
  ["memories", "Memories"],
  ["history", "History"],
  ["consolidations", "Consolidations"],
] as const;

/** One store: its memories, what was written in it, and its end. */
export function MemoryStorePage() {
  const reprise = useReprise();
  const queries = useQueryClient();
  const { storeId } = useParams({ strict: false });
  const id = storeId ?? "";
  const filters = useFilters();
  const agents = useAgents();
  const room = useMemoryRoom();
  const mayWrite = useMay("memories:write");
  const { data, error, refetch } = useQuery({
    queryKey: ["memory-store", id],
    queryFn: () => reprise.memoryStores.get(id),
    refetchInterval: LOOK_MS,
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Loading the store…" />;
  const { agent_id, end_user_id, memories } = data;
  const agentName = agents.get(agent_id)?.name ?? agent_id;
  const name = end_user_id ?? agentName;
  const tab = filters.values["tab"] ?? "memories";
  const changed = () => void queries.invalidateQueries({ queryKey: ["memory-store", id] });
  return (
    <div className="list-page memory-page">
      <Link to="/memory" className="back-link">
        <ArrowLeft size={16} aria-hidden />
        Memory
      </Link>
      <PageHeader
        title={end_user_id === null ? `Memory of ${agentName}` : `Memory of ${end_user_id}`}
        subtitle={<CodeId id={id} what="store id" />}
      >
        {mayWrite && (
          <>
            <AddDialog label="Write a memory" title="Write a memory">
              {(close) => <WriteMemory storeId={id} onClose={close} onWritten={changed} />}
            </AddDialog>
            <DeleteStore store={data} name={name} />
          </>
        )}
      </PageHeader>
      <Facts store={data} agentName={agentName} room={room} />
      {room !== null && memories >= room && (
        <p role="note" className="notice" data-tone="bad">
          This store is full: it takes corrections, and nothing new. Delete what is of no use, or
          ask the operator for more.
        </p>
      )}
      <MissingRight right="memories:write">Memories are not written or corrected here</MissingRight>
      <Tabs.Root
        className="memory-tabs"
        value={tab}
        onValueChange={(next: string) => filters.change({ tab: next === "memories" ? "" : next })}
      >
        <Tabs.List className="tabs" aria-label="Views of the store">
          {TABS.map(([value, label]) => (
            <Tabs.Tab key={value} value={value} className="tab">
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="memories" className="memory-panel">
          <FoundMemoriesTable
            listKey={["memories", id]}
            read={(query) => reprise.memoryStores.memories(id).list(query)}
            columns={MEMORY_COLUMNS}
            filters={filters}
            empty={<NoMemories mayWrite={mayWrite} />}
          />
        </Tabs.Panel>
        <Tabs.Panel value="history" className="memory-panel">
          <VersionList storeId={id} />
        </Tabs.Panel>
        <Tabs.Panel value="consolidations" className="memory-panel">
          <ConsolidationsView storeId={id} agentId={agent_id} />
        </Tabs.Panel>
      </Tabs.Root>
    </div>
  );
}

interface FactsProps {
  readonly store: MemoryStoreRecord;
  readonly agentName: string;
  readonly room: number | null;
}

function Facts({ store, agentName, room }: FactsProps) {
  const { agent_id, end_user_id, memories, bytes, created_at, updated_at } = store;
  return (
    <dl className="facts">
      <div>
        <dt>Agent</dt>
        <dd>
          <Link to="/agents/$agentId" params={{ agentId: agent_id }}>
            {agentName}
          </Link>
        </dd>
      </div>
      <div>
        <dt>End user</dt>
        <dd>
          {end_user_id === null ? (
            "shared by all of them"
          ) : (
            <Link to="/sessions" search={{ agent_id, end_user_id } as never}>
              <bdi>{end_user_id}</bdi>
            </Link>
          )}
        </dd>
      </div>
      <div>
        <dt>Memories</dt>
        <dd>
          {memories.toLocaleString()}
          {room !== null && ` of ${room.toLocaleString()}`}
        </dd>
      </div>
      <div>
        <dt>Size</dt>
        <dd>{formatBytes(bytes)}</dd>
      </div>
      <div>
        <dt>Made</dt>
        <dd>
          <TimeStamp at={created_at} />
        </dd>
      </div>
      <div>
        <dt>Changed</dt>
        <dd>
          <TimeStamp at={updated_at} />
        </dd>
      </div>
    </dl>
  );
}

function NoMemories({ mayWrite }: { readonly mayWrite: boolean }) {
  return (
    <EmptyState icon={BookMarked} title="Nothing is remembered here">
      <p>
        The agent remembers with its tools, or the platform behind each reply, as{" "}
        <code>memory.mode</code> of its definition says.{" "}
        {mayWrite && "You can also write a memory yourself."}
      </p>
    </EmptyState>
  );
}

function DeleteStore({
  store,
  name,
}: {
  readonly store: MemoryStoreRecord;
  readonly name: string;
}) {
  const reprise = useReprise();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { id, memories } = store;
  return (
    <DangerDialog
      button={{ text: "Forget all", icon: Trash2 }}
      title={`Forget all that is remembered of ${name}?`}
      action="Forget all"
      {...(memories > 0 && { typed: name })}
      onConfirm={async () => {
        await reprise.memoryStores.delete(id);
        queries.removeQueries({ queryKey: ["memory-stores"] });
        await navigate({ to: "/memory" });
        queries.removeQueries({ queryKey: ["memory-store", id] });
        queries.removeQueries({ queryKey: ["memories", id] });
        queries.removeQueries({ queryKey: ["memory-versions", id] });
      }}
    >
      <p>
        {memories === 1 ? "The one memory" : `All ${memories.toLocaleString()} memories`} of this
        store and their versions are erased, with the store. This cannot be undone. What is
        remembered later is in a new one; what was said stays in the sessions.
      </p>
    </DangerDialog>
  );
}
