import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

import type { StoredFile } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { formatBytes } from "../../components/charts/format-number.ts";
import { CodeId } from "../../components/code-id.tsx";
import { DangerDialog } from "../../components/danger-dialog.tsx";
import { DataBlockView } from "../../components/data-block-view.tsx";
import { DetailDialog } from "../../components/forms/detail-dialog.tsx";
import { DownloadButton } from "../../components/download-button.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";

/** Pictures of this size are read for a preview; larger ones are saved to be looked at. */
const MAX_PREVIEW_BYTES = 10_000_000;

interface FileDialogProps {
  readonly file: StoredFile;
  readonly mayDelete: boolean;
  readonly onDeleted: () => void;
}

/** A file's name, which opens what is known of it: a picture is shown, others can be saved. */
export function FileDialog({ file, mayDelete, onDeleted }: FileDialogProps) {
  const reprise = useReprise();
  const name = file.name ?? file.id;
  return (
    <DetailDialog
      trigger={
        <button type="button" className="row-button">
          <bdi>{name}</bdi>
        </button>
      }
      title={<bdi>{name}</bdi>}
    >
      <Preview file={file} name={name} />
      <dl className="facts">
        <Fact label="Type">{file.media_type}</Fact>
        <Fact label="Size">{formatBytes(file.bytes)}</Fact>
        <Fact label="Stored">
          <TimeStamp at={file.created_at} />
        </Fact>
        <Fact label="Id">
          <CodeId id={file.id} what="file id" />
        </Fact>
        <Fact label="Session">
          {file.session_id === null ? (
            "none: a file of the tenant"
          ) : (
            <Link
              to="/sessions/$sessionId"
              params={{ sessionId: file.session_id }}
              className="code"
            >
              {file.session_id}
            </Link>
          )}
        </Fact>
      </dl>
      <div className="dialog-actions">
        <DownloadButton label="Save" fileName={name} read={() => reprise.files.content(file.id)} />
        {mayDelete && (
          <DangerDialog
            title="Delete this file?"
            action="Delete"
            onConfirm={async () => {
              await reprise.files.delete(file.id);
              onDeleted();
            }}
          >
            <p>
              <bdi>{name}</bdi> is erased. Messages keep its address, which then leads to nothing.
              This cannot be undone.
            </p>
          </DangerDialog>
        )}
      </div>
    </DetailDialog>
  );
}

/** Bytes are drawn only when they are a picture in the platform's own files; the rest is not opened in the browser. */
function Preview({ file, name }: { readonly file: StoredFile; readonly name: string }) {
  const { media_type, bytes, id } = file;
  if (!media_type.startsWith("image/"))
    return <p className="quiet">There is no preview of this type.</p>;
  if (bytes > MAX_PREVIEW_BYTES) return <p className="quiet">Too large for a preview.</p>;
  // The address in the answer may have another host than this page's.
  const url = `${window.location.origin}/v1/files/${id}/content`;
  const source = { type: "url", url, media_type } as const;
  const times = { created_at: file.created_at, finished_at: null };
  return (
    <div className="file-preview">
      <DataBlockView block={{ type: "data", id, name, source, ...times }} />
    </div>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
