import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ArrowLeft, Combine, EyeOff, Pencil, Trash2 } from "lucide-react";

import { ApiError, type Memory, type MemoryVersion, type Reprise } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { CodeId } from "../../components/code-id.tsx";
import { DangerDialog } from "../../components/danger-dialog.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/forms/form-dialog.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import {
  OriginLinks,
  UntrustedBadge,
  UntrustedNote,
} from "../../components/memory/memory-origin.tsx";
import { NotFoundPage } from "../../components/not-found-page.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { PAGE_ROWS } from "../../components/use-paged.ts";
import { CorrectMemory } from "./correct-memory.tsx";
import { MemoryHistory } from "./memory-history.tsx";

/** Milliseconds between two looks at a memory: agents and other people change it. */
const LOOK_MS = 4_000;

interface ReadMemory {
  /** Null for one that is not there any more. */
  readonly memory: Memory | null;
  /** All that are kept, newest first; those of a redacted memory stay. */
  readonly versions: readonly MemoryVersion[];
}

async function readMemory(reprise: Reprise, storeId: string, id: string): Promise<ReadMemory> {
  const memories = reprise.memoryStores.memories(storeId);
  const [memory, { data }] = await Promise.all([
    memories.get(id).catch((error: unknown) => {
      if (ApiError.isInstance(error) && error.code === "not_found") return null;
      throw error;
    }),
    // As many as a store keeps of one memory.
    memories.versions({ memory_id: id, limit: PAGE_ROWS }).page(null),
  ]);
  return { memory, versions: data };
}

/** One memory: its text, where it is from, and what it said before; of a redacted one that it was there. */
export function MemoryPage() {
  const reprise = useReprise();
  const { storeId = "", memoryId = "" } = useParams({ strict: false });
  const { data, error, refetch } = useQuery({
    queryKey: ["memory", storeId, memoryId],
    queryFn: () => readMemory(reprise, storeId, memoryId),
    refetchInterval: LOOK_MS,
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Loading the memory…" />;
  const { memory, versions } = data;
  const [newest] = versions;
  if (!newest) return <NotFoundPage />;
  return (
    <div className="detail-page">
      <Link to="/memory/$storeId" params={{ storeId }} className="back-link">
        <ArrowLeft size={16} aria-hidden />
        Its store
      </Link>
      <PageHeader title="Memory" subtitle={<CodeId id={memoryId} what="memory id" />}>
        <UntrustedBadge untrusted={memory?.untrusted ?? null} />
        {memory && (
          <Actions
            memory={memory}
            onCorrected={() => void refetch()}
            onRedacted={() => void refetch()}
          />
        )}
      </PageHeader>
      {memory ? (
        <>
          <blockquote className="plain-text memory-text" dir="auto">
            {memory.content}
          </blockquote>
          <UntrustedNote {...memory} />
          <Facts memory={memory} />
        </>
      ) : (
        <Gone newest={newest} />
      )}
      <MemoryHistory versions={versions} />
    </div>
  );
}

/** The end of a memory that is none any more, and whose versions are listed. */
function Gone({ newest }: { readonly newest: MemoryVersion }) {
  const { store_id, redacted_at, merged_into } = newest;
  if (redacted_at !== null) {
    return (
      <p role="note" className="notice">
        <EyeOff size={16} aria-hidden />
        <span>
          Its words were redacted <TimeStamp at={redacted_at} />: no version, index or vector has
          them. Only that it was there is left.
        </span>
      </p>
    );
  }
  return (
    <p role="note" className="notice">
      <Combine size={16} aria-hidden />
      <span>
        A consolidation has taken it into{" "}
        {merged_into === null ? (
          "others"
        ) : (
          <Link
            to="/memory/$storeId/$memoryId"
            params={{ storeId: store_id, memoryId: merged_into }}
          >
            another memory
          </Link>
        )}
        .
      </span>
    </p>
  );
}

function Facts({ memory }: { readonly memory: Memory }) {
  const { path, version, source, created_at, updated_at } = memory;
  return (
    <dl className="facts">
      <div>
        <dt>Path</dt>
        <dd>{path === null ? "–" : <span className="code">{path}</span>}</dd>
      </div>
      <div>
        <dt>Version</dt>
        <dd>{version}</dd>
      </div>
      <div>
        <dt>From</dt>
        <dd>
          <OriginLinks source={source} />
        </dd>
      </div>
      <div>
        <dt>First remembered</dt>
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

interface ActionsProps {
  readonly memory: Memory;
  readonly onCorrected: () => void;
  readonly onRedacted: () => void;
}

function Actions({ memory, onCorrected, onRedacted }: ActionsProps) {
  const reprise = useReprise();
  const queries = useQueryClient();
  const navigate = useNavigate();
  if (!useMay("memories:write")) return null;
  const { id, store_id, version, version_id } = memory;
  const memories = reprise.memoryStores.memories(store_id);
  const forgetLists = () => {
    queries.removeQueries({ queryKey: ["memories", store_id] });
    queries.removeQueries({ queryKey: ["memory-versions", store_id] });
  };
  return (
    <>
      <FormDialog
        title="Correct this memory"
        trigger={
          <button type="button" className="button button-primary">
            <Pencil size={16} aria-hidden />
            Correct
          </button>
        }
      >
        {(close) => (
          <CorrectMemory
            memory={memory}
            onClose={close}
            onCorrected={() => {
              forgetLists();
              onCorrected();
            }}
          />
        )}
      </FormDialog>
      <DangerDialog
        button={{ icon: EyeOff, text: "Redact" }}
        title="Redact this memory?"
        action="Redact"
        onConfirm={async () => {
          await memories.redact(version_id);
          forgetLists();
          onRedacted();
        }}
      >
        <p>
          {version === 1 ? "Its text is" : `The texts of its ${version} versions are`} taken out of
          the store, its index and its vectors; that it was there stays listed. Agents are not told
          it any more. This cannot be undone.
        </p>
        <p>
          What was said stays in the sessions, and in backups for 30 days:{" "}
          <a href="/docs/memory#deleting-and-redacting">what is left where</a>.
        </p>
      </DangerDialog>
      <DangerDialog
        button={{ icon: Trash2 }}
        title="Delete this memory?"
        action="Delete"
        onConfirm={async () => {
          await memories.delete(id);
          forgetLists();
          await navigate({ to: "/memory/$storeId", params: { storeId: store_id } });
          queries.removeQueries({ queryKey: ["memory", store_id, id] });
        }}
      >
        <p>
          {version === 1 ? "Nothing of it is left" : `Nothing of its ${version} versions is left`}{" "}
          in the store, also not that it was there. This cannot be undone.
        </p>
      </DangerDialog>
    </>
  );
}
