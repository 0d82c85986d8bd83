import { useNavigate, useParams } from "@tanstack/react-router";
import { Fingerprint, UserRoundCheck } from "lucide-react";
import { useEffect, useState } from "react";

import type { MemberInvitation, SignInChoices } from "../../sdk/index.ts";
import { useAccess } from "../access/access-context.ts";
import { LoadingState } from "../components/loading-state.tsx";
import { ProviderButtons } from "./provider-buttons.tsx";
import { providerFailure, signInFailure } from "./sign-in-failure.ts";
import { takeSecret } from "./take-secret.ts";

let taken: string | undefined;

/** Sign-in to one tenant's console: with a passkey or at a provider, or by a link that binds one of them. */
export function MemberPage() {
  const { tenantId } = useParams({ strict: false }) as { readonly tenantId: string };
  const [secret, setSecret] = useState(() => (taken ??= takeSecret()));
  return secret === "" ? (
    <MemberSignIn tenantId={tenantId} />
  ) : (
    <AcceptInvitation
      tenantId={tenantId}
      secret={secret}
      onUsed={() => {
        taken = "";
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

function MemberSignIn({ tenantId }: { readonly tenantId: string }) {
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
        <p className="quiet code">{tenantId}</p>
        <Failure text={failure} />
        <button type="submit" className="button button-primary" disabled={isBusy} autoFocus>
          {isBusy ? "Signing in…" : providers.length === 0 ? "Sign in" : "Sign in with a passkey"}
        </button>
        <ProviderButtons
          {...{ tenantId, providers }}
          onFailure={(error) => setFailure(providerFailure(error))}
        />
      </form>
    </main>
  );
}

interface InvitationProps {
  readonly tenantId: string;
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
        <h1>{`${member.name}, join ${tenant.name}`}</h1>
        <p>
          You will be {article(member.role)} <strong>{member.role}</strong> in this tenant’s
          console. The link works once. Go on only if you are {member.name}.
        </p>
        <p>
          {passkey
            ? "Your device then makes a passkey, with which you sign in from now on."
            : providers.length > 0
              ? "This address cannot have passkeys, because it is an IP address: sign in with your account, or each sign-in needs a new link from an owner."
              : "This address cannot have passkeys, because it is an IP address: each sign-in here needs a new link from an owner."}
        </p>
        <p className="quiet code">{tenant.id}</p>
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

function Failure({ text }: { readonly text: string | null }) {
  return (
    text !== null && (
      <p role="alert" className="field-error">
        {text}
      </p>
    )
  );
}

function article(role: string): "a" | "an" {
  return /^[ao]/.test(role) ? "an" : "a";
}
