import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowLeft, Pencil } from "lucide-react";

import type { Skill } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { formatBytes } from "../../components/charts/format-number.ts";
import { CodeId } from "../../components/code-id.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { useFilters } from "../../components/use-filters.ts";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";
import { AgentLinks, useAgentsOf } from "./agents-of-skill.tsx";
import { DeleteSkill } from "./delete-skill.tsx";
import { VersionFiles } from "./version-files.tsx";

/** One skill: what the model is told of it, who has it, its versions and their files. */
export function SkillPage() {
  const reprise = useReprise();
  const queries = useQueryClient();
  const { skillId } = useParams({ strict: false });
  const id = skillId ?? "";
  const mayWrite = useMay("agents:write");
  const { data, error } = useQuery({
    queryKey: ["skill", id],
    queryFn: () => reprise.skills.get(id),
  });
  const reload = () => void queries.invalidateQueries({ queryKey: ["skill", id] });
  if (error && !data) return <ErrorState error={error} onRetry={reload} />;
  if (!data) return <LoadingState label="Loading the skill…" />;
  return (
    <div className="detail-page">
      <Link to="/skills" className="back-link">
        <ArrowLeft size={16} aria-hidden />
        Skills
      </Link>
      <PageHeader title={data.name} subtitle={<CodeId id={id} what="skill id" />}>
        {mayWrite && (
          <>
            <Link
              to="/skills/$skillId/new-version"
              params={{ skillId: id }}
              className="button button-primary"
            >
              <Pencil size={16} aria-hidden />
              New version
            </Link>
            <DeleteSkill skill={data} />
          </>
        )}
      </PageHeader>
      <p className="plain-text skill-description">{data.description}</p>
      <Facts skill={data} />
      <Versions skill={data} />
    </div>
  );
}

function Facts({ skill }: { readonly skill: Skill }) {
  const agents = useAgentsOf(skill.id);
  return (
    <dl className="facts">
      <div>
        <dt>Newest version</dt>
        <dd>{skill.version}</dd>
      </div>
      <div>
        <dt>Size</dt>
        <dd>{formatBytes(skill.bytes)}</dd>
      </div>
      <div>
        <dt>Created</dt>
        <dd>
          <TimeStamp at={skill.created_at} />
        </dd>
      </div>
      <div>
        <dt>Changed</dt>
        <dd>
          <TimeStamp at={skill.updated_at} />
        </dd>
      </div>
      <div>
        <dt>Agents that have it</dt>
        <dd>
          <AgentLinks found={agents} />
        </dd>
      </div>
    </dl>
  );
}

function Versions({ skill }: { readonly skill: Skill }) {
  const reprise = useReprise();
  const filters = useFilters();
  const { rows, isLoading, error, loadMore, reload } = usePaged(
    ["skill-versions", skill.id],
    reprise.skills.versions(skill.id, { limit: PAGE_ROWS }),
  );
  if (isLoading) return <LoadingState label="Loading the versions…" />;
  if (error && rows.length === 0) return <ErrorState error={error} onRetry={reload} />;
  const shown = Number(filters.values["version"] ?? skill.version);
  return (
    <div className="versions">
      <ol className="version-list" aria-label="Versions">
        {rows.map(({ version, file_count, created_at }) => (
          <li key={version}>
            <button
              type="button"
              className="version-row"
              aria-pressed={version === shown}
              onClick={() =>
                filters.set("version", version === skill.version ? "" : String(version))
              }
            >
              <strong>v{version}</strong>
              {version === skill.version && <span className="badge">newest</span>}
              <span className="quiet">{file_count === 1 ? "1 file" : `${file_count} files`}</span>
              <TimeStamp at={created_at} />
            </button>
          </li>
        ))}
        {loadMore && (
          <li>
            <button type="button" className="button" onClick={loadMore}>
              Older versions
            </button>
          </li>
        )}
      </ol>
      <VersionFiles key={shown} skillId={skill.id} version={shown} filters={filters} />
    </div>
  );
}
