import { Inbox } from "lucide-react";

import { EmptyState } from "../../components/empty-state.tsx";

/** The end of the list when no call waits, below those that were answered. */
export function NothingWaits({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState icon={Inbox} title="Nothing that waits fits these filters">
        <p>Take one off, or check the spelling: filters compare whole names and ids.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={Inbox} title="Nothing waits">
      <p>
        Calls appear here by themselves when a permission rule asks a person, or when a tool waits
        for a result from elsewhere.
      </p>
      <p>
        <a href="/docs/permissions">Read how permissions decide</a>
      </p>
    </EmptyState>
  );
}
