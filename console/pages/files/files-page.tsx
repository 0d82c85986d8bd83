import { Link } from "@tanstack/react-router";
import { Files } from "lucide-react";

import type { StoredFile } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { formatBytes } from "../../components/charts/format-number.ts";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterBar, type FilterField } from "../../components/filter-bar.tsx";
import { ListPage } from "../../components/list-page/list-page.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { useFilters } from "../../components/use-filters.ts";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";
import { FileDialog } from "./file-dialog.tsx";

const FIELDS: readonly FilterField[] = [{ name: "session_id", label: "Session id", kind: "text" }];

function columnsOf(reload: () => void, mayWrite: boolean): readonly Column<StoredFile>[] {
  return [
    {
      label: "Name",
      cell: (file) => <FileDialog file={file} mayDelete={mayWrite} onDeleted={reload} />,
    },
    { label: "Type", from: "tablet", cell: ({ media_type }) => media_type },
    { label: "Size", align: "end", cell: ({ bytes }) => formatBytes(bytes) },
    {
      label: "Session",
      from: "desktop",
      cell: ({ session_id }) =>
        session_id === null ? (
          <span className="quiet">of the tenant</span>
        ) : (
          <Link to="/sessions/$sessionId" params={{ sessionId: session_id }} className="code">
            {session_id}
          </Link>
        ),
    },
    {
      label: "Stored",
      from: "tablet",
      align: "end",
      cell: ({ created_at }) => <TimeStamp at={created_at} />,
    },
  ];
}

/** All files of the tenant, newest first, or those that one session names. */
export function FilesPage() {
  const reprise = useReprise();
  const filters = useFilters();
  const mayWrite = useMay("files:write");
  const { session_id } = filters.values;
  const filter = session_id === undefined ? {} : { session_id };
  const paged = usePaged(["files", filter], reprise.files.list({ ...filter, limit: PAGE_ROWS }));
  return (
    <ListPage
      title="Files"
      subtitle="What end users, back ends and models have stored"
      hasRefresh
      table={{
        label: "Files",
        columns: columnsOf(paged.reload, mayWrite),
        paged,
        keyOf: ({ id }) => id,
        empty: <NoFiles isFiltered={session_id !== undefined} />,
      }}
    >
      <FilterBar fields={FIELDS} filters={filters} />
    </ListPage>
  );
}

function NoFiles({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState icon={Files} title="This session names no files">
        <p>Take the filter off, or check the id: filters compare whole ids.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={Files} title="No files yet">
      <p>
        Attach a photo in the playground, or send the bytes to <code>POST /v1/files</code> and name
        the file’s <code>url</code> in a message.
      </p>
      <p>
        <a href="/docs/reference">All routes about files</a>
      </p>
    </EmptyState>
  );
}
