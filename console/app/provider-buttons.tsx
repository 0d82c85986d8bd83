import { useEffect, useState } from "react";

import type { SignInChoices } from "../../sdk/index.ts";
import { useAccess } from "../access/access-context.ts";

interface ProviderButtonsProps {
  /** Null for the operator's. */
  readonly tenantId: string | null;
  readonly providers: SignInChoices["providers"];
  /** Of the member's link that is used with it; a sign-in without one when left out. */
  readonly secret?: string;
  readonly onFailure: (error: unknown) => void;
}

/** Buttons that lead to the sign-in providers of this console; nothing where there are none. */
export function ProviderButtons(props: ProviderButtonsProps) {
  const { tenantId, providers, secret, onFailure } = props;
  const access = useAccess();
  const [chosen, setChosen] = useState<string | null>(null);
  useEffect(() => {
    // Back from the provider by the browser's button: the page may be the one that was left, as it was left.
    const reset = (): void => setChosen(null);
    window.addEventListener("pageshow", reset);
    return () => window.removeEventListener("pageshow", reset);
  }, []);
  async function go(id: string): Promise<void> {
    setChosen(id);
    try {
      window.location.assign(await access.beginProviderSignIn(tenantId, id, secret));
    } catch (error) {
      setChosen(null);
      onFailure(error);
    }
  }
  if (providers.length === 0) return null;
  return (
    <div className="sign-in-providers">
      <p className="quiet">or with the account that you have at work:</p>
      {providers.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          className="button"
          disabled={chosen !== null}
          onClick={() => void go(id)}
        >
          {chosen === id ? "One moment…" : `Continue with ${name}`}
        </button>
      ))}
    </div>
  );
}
