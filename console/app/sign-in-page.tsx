import { useNavigate } from "@tanstack/react-router";
import { LogIn } from "lucide-react";
import { useEffect, useState } from "react";

import type { ConsoleInvitation } from "../../sdk/index.ts";
import { useAccess } from "../access/access-context.ts";
import { ConsoleFailure } from "../access/console-failure.ts";
import { LoadingState } from "../components/loading-state.tsx";
import { SignedOutPage } from "./signed-out-page.tsx";
import { forgetSecret, takeSecret, useNewLink } from "./take-secret.ts";

type Step =
  | { readonly kind: "looking" }
  | { readonly kind: "asking"; readonly invitation: ConsoleInvitation }
  | { readonly kind: "refused"; readonly failure: ConsoleFailure | null; readonly text: string };

/**
 * Asks before it uses the link: a program that looks at links in mails would use it up, and a page of another site
 * could sign a person in to a tenant that is not theirs.
 */
export function SignInPage() {
  const access = useAccess();
  const navigate = useNavigate();
  const [step, setStep] = useState<Step>({ kind: "looking" });
  const [isSending, setIsSending] = useState(false);
  const [secret] = useState(takeSecret);
  useNewLink();

  function refuse(error: unknown): void {
    const failure = error instanceof ConsoleFailure ? error : null;
    const text = failure?.detail ?? "the platform cannot be reached; try again in a moment";
    setStep({ kind: "refused", failure, text });
  }
  useEffect(() => {
    if (secret === "") return;
    access.readLink(secret).then((invitation) => setStep({ kind: "asking", invitation }), refuse);
  }, [access, secret]);

  async function signIn(): Promise<void> {
    setIsSending(true);
    try {
      await access.signIn(secret);
      forgetSecret();
      await navigate({ to: "/", replace: true });
    } catch (error) {
      refuse(error);
    } finally {
      setIsSending(false);
    }
  }

  if (secret === "") return <SignedOutPage reason={null} detail={null} />;
  if (step.kind === "looking") return <LoadingState />;
  if (step.kind === "refused") {
    return <RefusedLink text={step.text} reason={step.failure?.reason ?? null} />;
  }
  const { tenant } = step.invitation;
  return (
    <main className="card-page">
      <title>Sign in · Reprise</title>
      <form
        className="card"
        onSubmit={(event) => {
          event.preventDefault();
          void signIn();
        }}
      >
        <LogIn size={28} aria-hidden className="card-icon" />
        <h1>{tenant ? `Sign in to ${tenant.name}` : "Sign in as the operator"}</h1>
        <p>
          {tenant
            ? "This link opens the console of this tenant in this browser."
            : "This link opens the operator's console in this browser, with all tenants of the platform."}{" "}
          It works once. Go on only if you asked for it.
        </p>
        {tenant && <p className="quiet code">{tenant.id}</p>}
        <button type="submit" className="button button-primary" disabled={isSending} autoFocus>
          {isSending ? "Signing in…" : "Sign in"}
        </button>
      </form>
    </main>
  );
}

function RefusedLink({ text, reason }: { readonly text: string; readonly reason: string | null }) {
  return (
    <div role="alert">
      <SignedOutPage
        reason={reason === "link_used" || reason === "link_expired" ? reason : null}
        detail={text}
      />
    </div>
  );
}
