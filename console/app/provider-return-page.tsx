import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ShieldAlert } from "lucide-react";
import { useEffect, useState } from "react";

import { useAccess } from "../access/access-context.ts";
import { ConsoleFailure } from "../access/console-failure.ts";
import { readMembersTenant } from "../access/members-tenant.ts";
import { LoadingState } from "../components/loading-state.tsx";
import { providerFailure } from "./sign-in-failure.ts";
import { takeQuery } from "./take-secret.ts";

let taken: string | undefined;
/** A way back counts once: whatever renders the page again waits for the same answer. */
let answer: Promise<void> | undefined;

/** The page to which a sign-in provider sends the browser back. */
export function ProviderReturnPage() {
  const { providerId } = useParams({ strict: false }) as { readonly providerId: string };
  const access = useAccess();
  const navigate = useNavigate();
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    taken ??= takeQuery();
    answer ??= access.completeProviderSignIn(providerId, taken);
    answer.then(() => navigate({ to: "/", replace: true }), setFailure);
  }, [access, navigate, providerId]);
  if (failure === null) return <LoadingState label="Signing in…" />;
  const isOperators = access.path === "/operator";
  const tenantId =
    (failure instanceof ConsoleFailure ? failure.tenantId : null) ?? readMembersTenant();
  return (
    <main className="card-page">
      <title>Sign-in · Reprise</title>
      <div className="card">
        <ShieldAlert size={28} aria-hidden className="card-icon" />
        <h1>You are not signed in</h1>
        <p role="alert">{providerFailure(failure)}</p>
        {isOperators ? (
          <Link to="/sign-in" className="button button-primary">
            To the sign-in page
          </Link>
        ) : tenantId === null ? (
          <p className="quiet">
            The sign-in page is at <code>/console/t/</code> and the id of your tenant: an owner
            knows it.
          </p>
        ) : (
          <Link to="/t/$tenantId" params={{ tenantId }} className="button button-primary">
            To the sign-in page
          </Link>
        )}
      </div>
    </main>
  );
}
