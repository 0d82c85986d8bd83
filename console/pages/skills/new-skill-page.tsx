import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { ArrowLeft, Lock } from "lucide-react";
import { useState } from "react";

import { useMay, useReprise } from "../../access/access-context.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { FolderEditor } from "./folder-editor.tsx";
import { NEW_FOLDER, toFiles } from "./folder-draft.ts";

/** A new skill: its SKILL.md and the files that go with it. */
export function NewSkillPage() {
  return (
    <div className="detail-page">
      <Link to="/skills" className="back-link">
        <ArrowLeft size={16} aria-hidden />
        Skills
      </Link>
      <PageHeader title="New skill" subtitle="Instructions for one kind of task" />
      {useMay("agents:write") ? <NewSkill /> : <MayNotWrite />}
    </div>
  );
}

/** Notice for a console that only reads. */
export function MayNotWrite() {
  return (
    <EmptyState icon={Lock} title="This console may not write skills">
      <p>
        Who writes skills decides what agents do. Sign in with a link of a key that holds the scope{" "}
        <code>agents:write</code>.
      </p>
    </EmptyState>
  );
}

function NewSkill() {
  const reprise = useReprise();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(NEW_FOLDER);
  return (
    <FolderEditor
      saved={NEW_FOLDER}
      draft={draft}
      onChange={setDraft}
      action="Create the skill"
      onSave={async () => {
        const { id } = await reprise.skills.create({ files: toFiles(draft) });
        queries.removeQueries({ queryKey: ["skills"] });
        await navigate({ to: "/skills/$skillId", params: { skillId: id } });
      }}
      onCancel={() => void navigate({ to: "/skills" })}
    />
  );
}
