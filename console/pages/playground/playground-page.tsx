import { useEffect, useRef, useState } from "react";

import type { ReplyRequestOptions } from "../../../sdk/index.ts";
import { useSession, type MessageDraft } from "../../../sdk/react/index.ts";
import { useAccess } from "../../access/access-context.ts";
import { openReprise } from "../../access/open-reprise.ts";
import { useFilters } from "../../components/use-filters.ts";
import { NewSession } from "./new-session.tsx";
import { OpenSession } from "./open-session.tsx";
import { PageNetwork } from "./page-network.ts";

interface FirstMessage {
  readonly sessionId: string;
  readonly draft: MessageDraft;
  readonly options: ReplyRequestOptions;
}

/** Talks to an agent, and shows everything that happens. The session's id is in the address. */
export function PlaygroundPage() {
  const access = useAccess();
  const filters = useFilters();
  const [network] = useState(() => new PageNetwork());
  const [client] = useState(() => openReprise(access, network.fetch));
  const sessionId = filters.values["session"] ?? null;
  const view = useSession(sessionId, {
    client,
    signals: { onNetworkChange: network.onNetworkChange },
  });
  const first = useRef<FirstMessage | null>(null);
  const { store } = view;
  useEffect(() => {
    const waiting = first.current;
    if (!waiting || waiting.sessionId !== store.session?.id) return;
    first.current = null;
    // A failure is shown at the message.
    void store.send(waiting.draft, waiting.options).catch(() => undefined);
  }, [store]);

  if (sessionId === null) {
    return (
      <NewSession
        client={client}
        filters={filters}
        onOpened={(id, draft, options) => {
          first.current = { sessionId: id, draft, options };
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
      network={network}
      filters={filters}
    />
  );
}
