import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useState } from "react";

import { useMay, useReprise } from "../../access/access-context.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { FolderEditor } from "./folder-editor.tsx";
import { readFolder, toFiles, type FolderDraft } from "./folder-draft.ts";
import { MayNotWrite } from "./new-skill-page.tsx";

/** The next version of a skill: the newest one's files, to be changed. */
export function NewVersionPage() {
  const reprise = useReprise();
  const { skillId } = useParams({ strict: false });
  const id = skillId ?? "";
  const mayWrite = useMay("agents:write");
  const { data, error, refetch } = useQuery({
    queryKey: ["skill-folder", id],
    queryFn: async () => {
      const skill = await reprise.skills.get(id);
      return { skill, folder: await readFolder(reprise, id, skill.version) };
    },
    // A draft is not replaced while it is written, and each visit begins from the newest version of then.
    staleTime: Infinity,
    gcTime: 0,
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Loading the skill’s files…" />;
  const { name, version } = data.skill;
  return (
    <div className="detail-page">
      <Link to="/skills/$skillId" params={{ skillId: id }} className="back-link">
        <ArrowLeft size={16} aria-hidden />
        {name}
      </Link>
      <PageHeader
        title={`New version of ${name}`}
        subtitle={`Begins with the files of version ${version}; the name stays.`}
      />
      {mayWrite ? <NewVersion id={id} version={version} folder={data.folder} /> : <MayNotWrite />}
    </div>
  );
}

interface NewVersionProps {
  readonly id: string;
  /** The version that was read. */
  readonly version: number;
  readonly folder: FolderDraft;
}

function NewVersion({ id, version, folder }: NewVersionProps) {
  const reprise = useReprise();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(folder);
  const goBack = () => navigate({ to: "/skills/$skillId", params: { skillId: id } });
  return (
    <FolderEditor
      saved={folder}
      draft={draft}
      onChange={setDraft}
      action={`Save as version ${version + 1}`}
      onSave={async () => {
        await reprise.skills.addVersion(id, { files: toFiles(draft) }, { ifVersion: version });
        queries.removeQueries({ queryKey: ["skills"] });
        queries.removeQueries({ queryKey: ["skill", id] });
        queries.removeQueries({ queryKey: ["skill-versions", id] });
        await goBack();
      }}
      onCancel={() => void goBack()}
    />
  );
}
