import { useQuery } from "@tanstack/react-query";
import { Files } from "lucide-react";

import type { ContentBlock } from "../../../../sdk/index.ts";
import type { SessionViewStatus } from "../../../../sdk/react/index.ts";
import { useReprise } from "../../../access/access-context.ts";
import { CodeId } from "../../../components/code-id.tsx";
import { DataBlockView } from "../../../components/data-block-view.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { LoadingState } from "../../../components/loading-state.tsx";
import { TimeStamp } from "../../../components/time-stamp.tsx";
import { usePlayground } from "../playground-context.ts";

/** The files that the session's messages name. Read anew when a reply begins or ends. */
export function FilesPanel({ status }: { readonly status: SessionViewStatus }) {
  const reprise = useReprise();
  const { sessionId } = usePlayground();
  const { data, error, refetch } = useQuery({
    queryKey: ["session-files", sessionId, status],
    queryFn: () => reprise.files.list({ session_id: sessionId, limit: 100 }).page(),
    placeholderData: (before) => before,
    staleTime: 0,
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Reading the files…" />;
  if (data.data.length === 0) {
    return (
      <EmptyState icon={Files} title="No files">
        <p>Attach a photo to a message: it is kept here, and the agent sees it.</p>
      </EmptyState>
    );
  }
  return (
    <ul className="panel-content panel-files">
      {data.data.map((file) => (
        <li key={file.id} className="panel-file">
          <DataBlockView block={toBlock(file)} />
          <p>
            {file.name ?? "without a name"}{" "}
            <span className="quiet">
              {file.media_type}, {file.bytes.toLocaleString()} bytes,{" "}
              <TimeStamp at={file.created_at} />
            </span>
          </p>
          <CodeId id={file.id} what="file id" />
        </li>
      ))}
    </ul>
  );
}

interface ShownFile {
  readonly id: string;
  readonly name: string | null;
  readonly url: string;
  readonly media_type: string;
  readonly created_at: string;
}

function toBlock({ id, name, url, media_type, created_at }: ShownFile) {
  const block: Extract<ContentBlock, { type: "data" }> = {
    type: "data",
    id,
    name,
    source: { type: "url", url, media_type },
    created_at,
    finished_at: created_at,
  };
  return block;
}
