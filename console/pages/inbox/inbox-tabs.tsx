import { Link } from "@tanstack/react-router";

import { useMay } from "../../access/access-context.ts";

/** Tabs of waiting calls and of decisions. */
export function InboxTabs({ shown }: { readonly shown: "waiting" | "history" }) {
  const mayReadHistory = useMay("permission_rules:read");
  const mayReadWaiting = useMay("confirmations:read");
  const marks = (name: string) =>
    name === shown ? { "data-active": "", "aria-current": "page" as const } : {};
  return (
    <nav className="page-tabs" aria-label="Approvals">
      {mayReadWaiting && (
        <Link to="/inbox" className="tab" {...marks("waiting")}>
          Waiting
        </Link>
      )}
      {mayReadHistory && (
        <Link to="/inbox/history" className="tab" {...marks("history")}>
          History
        </Link>
      )}
    </nav>
  );
}
