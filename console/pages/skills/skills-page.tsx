import { Link } from "@tanstack/react-router";
import { BookOpen, Plus } from "lucide-react";

import type { Skill } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { formatBytes } from "../../components/charts/format-number.ts";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ListPage } from "../../components/list-page/list-page.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";

const COLUMNS: readonly Column<Skill>[] = [
  {
    label: "Name",
    cell: ({ id, name }) => (
      <Link to="/skills/$skillId" params={{ skillId: id }} className="row-link">
        <strong>{name}</strong>
      </Link>
    ),
  },
  {
    label: "Description",
    from: "tablet",
    cell: ({ description }) => <span title={description}>{description}</span>,
  },
  { label: "Version", align: "end", cell: ({ version }) => `v${version}` },
  { label: "Files", align: "end", from: "tablet", cell: ({ file_count }) => file_count },
  { label: "Size", align: "end", from: "desktop", cell: ({ bytes }) => formatBytes(bytes) },
  {
    label: "Changed",
    align: "end",
    cell: ({ updated_at }) => <TimeStamp at={updated_at} />,
  },
];

/** All skills of the tenant, newest first. */
export function SkillsPage() {
  const reprise = useReprise();
  const mayWrite = useMay("agents:write");
  const paged = usePaged(["skills"], reprise.skills.list({ limit: PAGE_ROWS }));
  return (
    <ListPage
      title="Skills"
      subtitle="Folders of instructions, which agents read when needed"
      actions={
        mayWrite && (
          <Link to="/skills/new" className="button button-primary">
            <Plus size={16} aria-hidden />
            New skill
          </Link>
        )
      }
      table={{
        label: "Skills",
        columns: COLUMNS,
        paged,
        keyOf: ({ id }) => id,
        empty: (
          <EmptyState icon={BookOpen} title="No skills yet">
            <p>
              A skill is a folder with a <code>SKILL.md</code>: instructions for one kind of task,
              and files that go with them. {mayWrite ? "Write one, then name it" : "Agents name it"}{" "}
              in the <code>skills</code> of an agent.
            </p>
            <p>
              <a href="/docs/skills">Read about skills</a>
            </p>
          </EmptyState>
        ),
      }}
    />
  );
}
