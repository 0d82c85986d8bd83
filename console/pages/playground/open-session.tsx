import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { PanelRight, Plus, ScanSearch } from "lucide-react";
import { useCallback, useEffect, useMemo, useState } from "react";

import type { ReplyRequestOptions } from "../../../sdk/index.ts";
import type { MessageDraft, SessionView } from "../../../sdk/react/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import type { Filters } from "../../components/use-filters.ts";
import { Chat } from "./chat/chat.tsx";
import { Composer } from "./composer/composer.tsx";
import { CutButton } from "./cut-button.tsx";
import { EventLog } from "./event-log.ts";
import type { PageNetwork } from "./page-network.ts";
import { PlaygroundContext, type Playground } from "./playground-context.ts";
import { SidePanel } from "./panel/side-panel.tsx";
import { useIsTalking } from "./voice/use-voice-call.ts";
import { VoiceBar } from "./voice/voice-bar.tsx";
import type { VoiceCall } from "./voice/voice-call.ts";

interface OpenSessionProps {
  readonly sessionId: string;
  readonly view: SessionView;
  /** Null without a session. */
  readonly call: VoiceCall | null;
  readonly network: PageNetwork;
  readonly filters: Filters;
}

/** The playground with its session: the conversation, where one writes, and what is behind it. */
export function OpenSession({ sessionId, view, call, network, filters }: OpenSessionProps) {
  const { store, status } = view;
  // On a narrow screen; an address that names a view shows it.
  const [isPanelShown, setIsPanelShown] = useState(filters.values["panel"] !== undefined);
  const [log] = useState(() => new EventLog());
  useEffect(() => store.onEvent(log.take), [store, log]);
  const { session, agent } = useAgentOf(sessionId);
  const isTalking = useIsTalking(call);
  const endUserId = session.data?.end_user_id ?? null;
  const playground = useMemo((): Playground => {
    return { sessionId, endUserId, store, actions: store, network, agent };
  }, [sessionId, endUserId, store, network, agent]);

  const send = useCallback(
    async (draft: MessageDraft, options: ReplyRequestOptions) => {
      // While one talks, a text is answered aloud too.
      const isText = !draft.files && !options.structuredSchema;
      if (isText && draft.text && call?.say(draft.text)) return true;
      // A failure is shown at the message, which can be sent again there.
      void store.send(draft, options).catch(() => undefined);
      return true;
    },
    [store, call],
  );
  const stop = useCallback(
    (queued: "keep" | "drop") => void store.interrupt({ queued }).catch(() => undefined),
    [store],
  );
  if (session.error) {
    return <ErrorState error={session.error} onRetry={() => void session.refetch()} />;
  }
  const isBusy = view.replyId !== null || status === "running" || status === "waiting";
  return (
    <PlaygroundContext value={playground}>
      <div className="playground" data-panel={isPanelShown}>
        <PageHeader
          title="Playground"
          subtitle={
            <Subtitle
              name={agent?.name}
              version={session.data?.agent_version}
              endUser={session.data?.end_user_id}
            />
          }
        >
          <span role="status">
            <StatusBadge status={status} />
          </span>
          <CutButton />
          <Link to="/sessions/$sessionId" params={{ sessionId }} className="button">
            <ScanSearch size={16} aria-hidden />
            <span className="button-words">Inspect</span>
          </Link>
          <button
            type="button"
            className="button"
            onClick={() => {
              network.forget();
              filters.change({
                session: "",
                panel: "",
                agent: session.data?.agent_id ?? "",
              });
            }}
          >
            <Plus size={16} aria-hidden />
            <span className="button-words">New session</span>
          </button>
          <button
            type="button"
            className="button playground-toggle"
            aria-pressed={isPanelShown}
            onClick={() => setIsPanelShown(!isPanelShown)}
          >
            <PanelRight size={16} aria-hidden />
            <span className="button-words">Behind it</span>
          </button>
        </PageHeader>
        <div className="playground-columns">
          <div className="chat">
            <Chat state={view} log={log} />
            {agent?.voice && call && <VoiceBar call={call} isBusy={isBusy} />}
            <Composer
              // While one talks, a message is not queued, and the voice has a button that ends the reply.
              isBusy={isBusy && !isTalking}
              hasQueued={view.queuedReplyIds.length > 0}
              onSend={send}
              onStop={stop}
            />
          </div>
          <SidePanel
            log={log}
            status={status}
            tab={filters.values["panel"] ?? "events"}
            onTab={(tab) => filters.set("panel", tab === "events" ? "" : tab)}
          />
        </div>
      </div>
    </PlaygroundContext>
  );
}

/** The session's agent, at the version that it uses. */
function useAgentOf(sessionId: string) {
  const reprise = useReprise();
  const session = useQuery({
    queryKey: ["session", sessionId, "agent"],
    queryFn: () => reprise.session(sessionId).get(),
  });
  const { agent_id = "", agent_version = 0 } = session.data ?? {};
  const { data: agent } = useQuery({
    queryKey: ["agent-version", agent_id, agent_version],
    queryFn: () => reprise.agents.version(agent_id, agent_version),
    enabled: session.data !== undefined,
    staleTime: Infinity,
  });
  return { session, agent };
}

interface SubtitleProps {
  readonly name: string | undefined;
  readonly version: number | undefined;
  readonly endUser: string | null | undefined;
}

function Subtitle({ name, version, endUser }: SubtitleProps) {
  return (
    <>
      {name ?? "…"}
      {version !== undefined && `, version ${version}`}
      {endUser != null && `, for ${endUser}`}
    </>
  );
}
