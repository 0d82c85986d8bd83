import { Link } from "@tanstack/react-router";
import { SearchX } from "lucide-react";

/** Page for unknown addresses and unknown ids; ids of another tenant look the same. */
export function NotFoundPage() {
  return (
    <div className="empty-state">
      <title>Not found · Reprise</title>
      <SearchX size={32} aria-hidden />
      <h1>There is nothing here</h1>
      <p>It was deleted, belongs to another tenant, or the address is mistyped.</p>
      <Link to="/" className="button">
        Go to the start
      </Link>
    </div>
  );
}
