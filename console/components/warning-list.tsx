import { TriangleAlert } from "lucide-react";

import type { Warning } from "../../sdk/index.ts";

/** Warnings of a write that was accepted; nothing when there are none. */
export function WarningList({ warnings }: { readonly warnings?: readonly Warning[] | undefined }) {
  if (!warnings || warnings.length === 0) return null;
  return (
    <div role="status" className="notice" data-tone="waiting">
      <TriangleAlert size={16} aria-hidden />
      <ul className="warning-list">
        {warnings.map(({ pointer, detail }) => (
          <li key={`${pointer} ${detail}`}>
            <code>{pointer}</code> {detail}
          </li>
        ))}
      </ul>
    </div>
  );
}
