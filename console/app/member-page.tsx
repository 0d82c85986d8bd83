import { useNavigate, useParams } from "@tanstack/react-router";
import { Fingerprint, UserRoundCheck } from "lucide-react";
import { useEffect, useState } from "react";

import type { MemberInvitation, SignInChoices } from "../../sdk/index.ts";
import { useAccess } from "../access/access-context.ts";
import { LoadingState } from "../components/loading-state.tsx";
import { ProviderButtons } from "./provider-buttons.tsx";
import { providerFailure, signInFailure } from "./sign-in-failure.ts";
import { MakeLink } from "./make-link.tsx";
import { SignInPage } from "./sign-in-page.tsx";
import { forgetSecret, takeSecret, useNewLink } from "./take-secret.ts";

/** Of the secrets in links that are made with a key; those of members begin otherwise. */
const KEY_LINK_START = "cl_";

/** Sign-in to one tenant's console. */
export function MemberPage() {
  const { tenantId } = useParams({ strict: false }) as { readonly tenantId: string };
  return <MemberEntry tenantId={tenantId} />;
}

/** Sign-in to the operator's console: of its people, or by a link that was made with the operator's key. */
export function OperatorEntryPage() {
  const [secret] = useState(takeSecret);
  return secret.startsWith(KEY_LINK_START) ? <SignInPage /> : <MemberEntry tenantId={null} />;
}

interface MemberProps {
  /** Null for the operator's console. */
  readonly tenantId: string | null;
}

/** Sign-in with a passkey or at a provider, or by a link that binds one of them. */
function MemberEntry({ tenantId }: MemberProps) {
  const [secret, setSecret] = useState(takeSecret);
  useNewLink();
  return secret === "" ? (
    <MemberSignIn tenantId={tenantId} />
  ) : (
    <AcceptInvitation
      tenantId={tenantId}
      secret={secret}
      onUsed={() => {
        forgetSecret();
        setSecret("");
      }}
    />
  );
}

/** A sign-in under way: what it says when it fails, and where it leads. */
function useSignIn(run: () => Promise<void>) {
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  async function start(): Promise<void> {
    setIsBusy(true);
    setFailure(null);
    try {
      await run();
      await navigate({ to: "/", replace: true });
    } catch (error) {
      setFailure(signInFailure(error));
      setIsBusy(false);
    }
  }
  return { isBusy, failure, setFailure, start };
}

function MemberSignIn({ tenantId }: MemberProps) {
  const access = useAccess();
  const { isBusy, failure, setFailure, start } = useSignIn(() =>
    access.signInWithPasskey(tenantId),
  );
  const [providers, setProviders] = useState<SignInChoices["providers"]>([]);
  useEffect(() => {
    access.readSignInChoices(tenantId).then(
      (choices) => setProviders(choices.providers),
      (error: unknown) => setFailure(providerFailure(error)),
    );
  }, [access, tenantId, setFailure]);
  return (
    <main className="card-page">
      <title>Sign in · Reprise</title>
      <form
        className="card"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <Fingerprint size={28} aria-hidden className="card-icon" />
        <h1>{providers.length === 0 ? "Sign in with your passkey" : "Sign in"}</h1>
        <p>
          Sign in as you did when you joined. With a passkey, your device asks who you are. If you
          have not joined yet, open the link of your invitation; an owner makes a new one for what
          you have lost.
        </p>
        {tenantId === null ? (
          <p className="quiet">The operator’s console</p>
        ) : (
          <p className="quiet code">{tenantId}</p>
        )}
        <Failure text={failure} />
        <button type="submit" className="button button-primary" disabled={isBusy} autoFocus>
          {isBusy ? "Signing in…" : providers.length === 0 ? "Sign in" : "Sign in with a passkey"}
        </button>
        <ProviderButtons
          {...{ tenantId, providers }}
          onFailure={(error) => setFailure(providerFailure(error))}
        />
        {tenantId === null && <LinkByKey />}
      </form>
    </main>
  );
}

interface InvitationProps extends MemberProps {
  readonly secret: string;
  readonly onUsed: () => void;
}

/** Asks before it uses the link, and names whom it invites to what. */
function AcceptInvitation({ tenantId, secret, onUsed }: InvitationProps) {
  const access = useAccess();
  const [invitation, setInvitation] = useState<MemberInvitation | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  useEffect(() => {
    access.readMemberLink(tenantId, secret).then(setInvitation, (error: unknown) => {
      setRefusal(signInFailure(error));
    });
  }, [access, tenantId, secret]);
  const { isBusy, failure, setFailure, start } = useSignIn(async () => {
    // A challenge lasts five minutes, and the page may have been open for longer.
    const { passkey } = await access.readMemberLink(tenantId, secret);
    await access.acceptMemberLink(tenantId, secret, passkey);
    onUsed();
  });
  if (refusal !== null) {
    return (
      <main className="card-page">
        <title>Invitation · Reprise</title>
        <div className="card">
          <h1>This link invites nobody any more</h1>
          <Failure text={refusal} />
          <button type="button" className="button" onClick={onUsed}>
            To the sign-in page
          </button>
        </div>
      </main>
    );
  }
  if (!invitation) return <LoadingState />;
  const { tenant, member, passkey, providers } = invitation;
  return (
    <main className="card-page">
      <title>Invitation · Reprise</title>
      <form
        className="card"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <UserRoundCheck size={28} aria-hidden className="card-icon" />
        <h1>{`${member.name}, join ${tenant?.name ?? "the operator’s console"}`}</h1>
        <p>
          Your role in {tenant ? "this tenant’s" : "the operator’s"} console will be{" "}
          <strong>{member.role}</strong>. The link works once. Go on only if you are {member.name}.
        </p>
        <p>
          {passkey
            ? "Your device then makes a passkey, with which you sign in from now on."
            : providers.length > 0
              ? "This address cannot have passkeys, because it is an IP address: sign in with your account, or each sign-in needs a new link from an owner."
              : "This address cannot have passkeys, because it is an IP address: each sign-in here needs a new link from an owner."}
        </p>
        {tenant && <p className="quiet code">{tenant.id}</p>}
        <Failure text={failure} />
        <button type="submit" className="button button-primary" disabled={isBusy} autoFocus>
          {isBusy ? "One moment…" : passkey ? "Make a passkey and sign in" : "Sign in"}
        </button>
        <ProviderButtons
          {...{ tenantId, providers, secret }}
          onFailure={(error) => setFailure(providerFailure(error))}
        />
      </form>
    </main>
  );
}

/** The way in before there are people, and for machines. */
function LinkByKey() {
  return (
    <details>
      <summary>Sign in with the operator’s key</summary>
      <div className="form-stack">
        <MakeLink />
      </div>
    </details>
  );
}

function Failure({ text }: { readonly text: string | null }) {
  return (
    text !== null && (
      <p role="alert" className="field-error">
        {text}
      </p>
    )
  );
}
