import { useEffect, useRef, useState } from "react";

import { useSession } from "../../../sdk/react/index.ts";
import { useAccess } from "../../access/access-context.ts";
import { openReprise } from "../../access/open-reprise.ts";
import { useFilters } from "../../components/use-filters.ts";
import { NewSession, type FirstAct } from "./new-session.tsx";
import { OpenSession } from "./open-session.tsx";
import { PageNetwork } from "./page-network.ts";
import { useVoiceCall } from "./voice/use-voice-call.ts";

/** Talks to an agent, and shows everything that happens. The session's id is in the address. */
export function PlaygroundPage() {
  const access = useAccess();
  const filters = useFilters();
  const [network] = useState(() => new PageNetwork());
  const [client] = useState(() => openReprise(access, network));
  const sessionId = filters.values["session"] ?? null;
  const view = useSession(sessionId, {
    client,
    signals: { onNetworkChange: network.onNetworkChange },
  });
  const call = useVoiceCall(view.store);
  const first = useRef<{ readonly sessionId: string; readonly act: FirstAct } | null>(null);
  const { store } = view;
  useEffect(() => {
    const waiting = first.current;
    if (!waiting || waiting.sessionId !== store.session?.id) return;
    first.current = null;
    const { act } = waiting;
    if (act.kind === "talk") void call?.begin(act.sound);
    // A failure is shown at the message.
    else void store.send(act.draft, act.options).catch(() => undefined);
  }, [store, call]);

  if (sessionId === null) {
    return (
      <NewSession
        client={client}
        filters={filters}
        onOpened={(id, act) => {
          first.current = { sessionId: id, act };
          filters.change({ session: id, agent: "", version: "", end_user_id: "" });
        }}
      />
    );
  }
  return (
    <OpenSession
      key={sessionId}
      sessionId={sessionId}
      view={view}
      call={call}
      network={network}
      filters={filters}
    />
  );
}
