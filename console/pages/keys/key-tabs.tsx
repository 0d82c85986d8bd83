import { Link } from "@tanstack/react-router";

import { useMay } from "../../access/access-context.ts";

/** Keys of back ends, and tokens of apps. */
export function KeyTabs({ shown }: { readonly shown: "keys" | "tokens" }) {
  const mayReadKeys = useMay("keys:read");
  const mayReadTokens = useMay("sessions:read");
  const marks = (name: string) =>
    name === shown ? { "data-active": "", "aria-current": "page" as const } : {};
  return (
    <nav className="page-tabs" aria-label="Keys">
      {mayReadKeys && (
        <Link to="/keys" className="tab" {...marks("keys")}>
          API keys
        </Link>
      )}
      {mayReadTokens && (
        <Link to="/keys/tokens" className="tab" {...marks("tokens")}>
          Client tokens
        </Link>
      )}
    </nav>
  );
}
