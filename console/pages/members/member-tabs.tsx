import { Link } from "@tanstack/react-router";

/** People, and the providers at which they sign in. */
export function MemberTabs({ shown }: { readonly shown: "members" | "providers" }) {
  const marks = (name: string) =>
    name === shown ? { "data-active": "", "aria-current": "page" as const } : {};
  return (
    <nav className="page-tabs" aria-label="Members">
      <Link to="/members" className="tab" {...marks("members")}>
        People
      </Link>
      <Link to="/members/providers" className="tab" {...marks("providers")}>
        Sign-in providers
      </Link>
    </nav>
  );
}
