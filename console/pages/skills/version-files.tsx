import { useQuery } from "@tanstack/react-query";
import { FileCode, FileText } from "lucide-react";
import { useState } from "react";

import type { SkillFile } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { formatBytes } from "../../components/charts/format-number.ts";
import { DownloadButton } from "../../components/download-button.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import type { Filters } from "../../components/use-filters.ts";

interface VersionFilesProps {
  readonly skillId: string;
  readonly version: number;
  /** State of the address, which names the file that is shown. */
  readonly filters: Filters;
}

/** The files of one version, and one of them. */
export function VersionFiles({ skillId, version, filters }: VersionFilesProps) {
  const reprise = useReprise();
  const { data, error, refetch } = useQuery({
    queryKey: ["skill-version", skillId, version],
    queryFn: () => reprise.skills.version(skillId, version),
    // Versions never change.
    staleTime: Infinity,
  });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Loading the version…" />;
  const path = filters.values["path"];
  const shown = data.files.find((file) => file.path === path) ?? data.files[0];
  return (
    <section className="version-detail" aria-label={`Version ${version}`}>
      <ul className="skill-files" aria-label="Files">
        {data.files.map((file) => (
          <li key={file.path}>
            <button
              type="button"
              className="version-row"
              aria-pressed={file === shown}
              onClick={() => filters.set("path", file === data.files[0] ? "" : file.path)}
            >
              {file.is_text ? (
                <FileText size={16} aria-hidden />
              ) : (
                <FileCode size={16} aria-hidden />
              )}
              <bdi className="code">{file.path}</bdi>
              <span className="quiet">
                {file.is_text ? "" : "binary, "}
                {formatBytes(file.bytes)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {shown && <FileView key={shown.path} skillId={skillId} version={version} file={shown} />}
    </section>
  );
}

interface FileViewProps {
  readonly skillId: string;
  readonly version: number;
  readonly file: SkillFile;
}

/** A file as text; bytes that are no text are named, and can be saved. */
function FileView({ skillId, version, file }: FileViewProps) {
  const reprise = useReprise();
  const { path, media_type, bytes, is_text } = file;
  return (
    <section className="panel" aria-label={`File ${path}`}>
      <div className="panel-head">
        <div>
          <h2 className="skill-path">
            <bdi className="code">{path}</bdi>
          </h2>
          <p className="quiet">
            {media_type}, {formatBytes(bytes)}
          </p>
        </div>
        <DownloadButton
          label="Save"
          fileName={path.split("/").at(-1) ?? path}
          read={() => reprise.skills.content(skillId, version, path)}
        />
      </div>
      {is_text ? (
        <TextOfFile skillId={skillId} version={version} path={path} />
      ) : (
        <p className="notice">
          A binary file: it is not shown here, and a model is told its type and size alone.
        </p>
      )}
    </section>
  );
}

/** Characters that are drawn at first: a file may have a million. */
const FIRST_CHARACTERS = 50_000;

interface TextOfFileProps {
  readonly skillId: string;
  readonly version: number;
  readonly path: string;
}

function TextOfFile({ skillId, version, path }: TextOfFileProps) {
  const reprise = useReprise();
  const [isWhole, setIsWhole] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ["skill-content", skillId, version, path],
    queryFn: async () => (await reprise.skills.content(skillId, version, path)).text(),
    staleTime: Infinity,
  });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingState label="Reading the file…" />;
  if (data === "") return <p className="quiet">The file is empty.</p>;
  const isCut = !isWhole && data.length > FIRST_CHARACTERS;
  return (
    <>
      <pre
        className="plain-text skill-text"
        tabIndex={0}
        role="region"
        aria-label={`Text of ${path}`}
      >
        {isCut ? data.slice(0, FIRST_CHARACTERS) : data}
      </pre>
      {isCut && (
        <button type="button" className="button" onClick={() => setIsWhole(true)}>
          Show all {data.length.toLocaleString()} characters
        </button>
      )}
    </>
  );
}
