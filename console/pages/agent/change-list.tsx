import { Equal } from "lucide-react";
import { useMemo } from "react";

import { DiffText } from "../../components/diff/diff-text.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import type { JsonObject } from "../../components/schema-form/json-schema.ts";
import { findChanges } from "./find-changes.ts";

interface ChangeListProps {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** Differences between two definitions, place by place, with the lines that are added and taken away. */
export function ChangeList({ before, after }: ChangeListProps) {
  const changes = useMemo(() => findChanges(before, after), [before, after]);
  if (changes.length === 0) {
    return (
      <EmptyState icon={Equal} title="No difference">
        <p>The two versions have the same definition.</p>
      </EmptyState>
    );
  }
  return (
    <ol className="change-list" aria-label="Changes">
      {changes.map((change) => (
        <li key={JSON.stringify(change.place)}>
          <h3 className="code">{change.place.join(" › ")}</h3>
          <DiffText before={textOf(change.before)} after={textOf(change.after)} />
        </li>
      ))}
    </ol>
  );
}

/** A text as it is, any other value as JSON; none is empty. */
function textOf(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
