import { Link } from "@tanstack/react-router";
import { KeyRound } from "lucide-react";

import { useAccess } from "../access/access-context.ts";
import type { AccessState } from "../access/access.ts";
import { readMembersTenant } from "../access/members-tenant.ts";
import { MakeLink } from "./make-link.tsx";

type SignedOut = Extract<AccessState, { readonly kind: "signed_out" }>;

const TITLES: Partial<Record<NonNullable<SignedOut["reason"]>, string>> = {
  session_expired: "The session has expired",
  key_revoked: "The key of this session is gone",
  member_removed: "You are no member here any more",
  tenant_suspended: "This tenant is suspended",
};

/** Page for a person without a session: why there is none, and how a new link is made. */
export function SignedOutPage({ reason, detail }: Pick<SignedOut, "reason" | "detail">) {
  const { path } = useAccess();
  const membersTenant = path === "/console" ? readMembersTenant() : null;
  const isBare = reason === null || reason === "signed_out";
  const title = (reason && TITLES[reason]) ?? "Sign in with a link";
  return (
    <main className="card-page">
      <title>{`${title} · Reprise`}</title>
      <div className="card">
        <KeyRound size={28} aria-hidden className="card-icon" />
        <h1>{title}</h1>
        {detail !== null && !isBare && <p>{sentence(detail)}</p>}
        {isBare && detail !== null && reason === null && <p>{sentence(detail)}</p>}
        {path === "/operator" && (
          <p>
            <a href="/operator/sign-in" className="button button-primary">
              Sign in as a member
            </a>
          </p>
        )}
        {membersTenant !== null && (
          <p>
            <Link
              to="/t/$tenantId"
              params={{ tenantId: membersTenant }}
              className="button button-primary"
            >
              Sign in as a member
            </Link>
          </p>
        )}
        <MakeLink />
      </div>
    </main>
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
