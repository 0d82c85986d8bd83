import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bot } from "lucide-react";
import { useState } from "react";

import type { Agent, ReplyRequestOptions, Reprise } from "../../../sdk/index.ts";
import type { MessageDraft } from "../../../sdk/react/index.ts";
import type { PageSound } from "../../audio/open-sound.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import type { Filters } from "../../components/use-filters.ts";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";
import { Composer } from "./composer/composer.tsx";
import { SessionStart } from "./session-start.tsx";
import { TalkBar } from "./voice/voice-bar.tsx";
import { openTalkSound } from "./voice/voice-call.ts";

interface NewSessionProps {
  /** The playground's own client, whose requests are shown as code. */
  readonly client: Reprise;
  readonly filters: Filters;
  readonly onOpened: (id: string, first: FirstAct) => void;
}

/** Beginning of a new session: a message, or talking. */
export type FirstAct =
  | {
      readonly kind: "message";
      readonly draft: MessageDraft;
      readonly options: ReplyRequestOptions;
    }
  | { readonly kind: "talk"; readonly sound: PageSound };

/** The playground before its session: the first message opens one. */
export function NewSession({ client, filters, onOpened }: NewSessionProps) {
  const reprise = useReprise();
  const mayOpen = useMay("sessions:write");
  const [problem, setProblem] = useState<string | null>(null);
  const agents = usePaged(["agents", "playground"], reprise.agents.list({ limit: PAGE_ROWS }));
  const chosenId = filters.values["agent"];
  // The address may name one that is not in the first page.
  const named = useQuery({
    queryKey: ["agent", chosenId],
    queryFn: () => reprise.agents.get(chosenId ?? ""),
    enabled: chosenId !== undefined,
  });
  const agent = chosenId === undefined ? agents.rows[0] : named.data;
  if (named.error) return <ErrorState error={named.error} onRetry={() => void named.refetch()} />;
  if (agents.error) return <ErrorState error={agents.error} onRetry={agents.reload} />;
  if (agents.isLoading) return <LoadingState label="Loading the agents…" />;

  async function talk(): Promise<void> {
    // Here, as the browser may allow sound within the click alone.
    const sound = openTalkSound();
    if (!(await open({ kind: "talk", sound }))) sound.close();
  }

  async function open(first: FirstAct): Promise<boolean> {
    if (!agent) return false;
    setProblem(null);
    const { version, end_user_id } = filters.values;
    try {
      const session = await client.sessions.create({
        agent_id: agent.id,
        ...(version !== undefined && {
          agent_version: version === "latest" ? version : Number(version),
        }),
        ...(end_user_id !== undefined && { end_user_id }),
      });
      onOpened(session.id, first);
      return true;
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  return (
    <div className="playground">
      <PageHeader title="Playground" subtitle="Talk to an agent, and see everything that happens" />
      {agents.rows.length === 0 && !agent ? (
        <EmptyState icon={Bot} title="No agents yet">
          <p>
            An agent is a model with instructions and tools. Create the first one, then talk to it
            here.
          </p>
          <Link to="/agents" className="button">
            Agents
          </Link>
        </EmptyState>
      ) : (
        <div className="chat">
          <div className="chat-region">
            <SessionStart
              agents={withAgent(agents.rows, agent)}
              agent={agent}
              onMore={agents.loadMore}
              filters={filters}
            />
          </div>
          {problem !== null && (
            <p role="alert" className="message-error">
              {problem}
            </p>
          )}
          {mayOpen ? (
            <>
              {agent?.voice && <TalkBar onTalk={() => void talk()} />}
              <Composer
                isBusy={false}
                hasQueued={false}
                onSend={(draft, options) => open({ kind: "message", draft, options })}
                onStop={() => undefined}
              />
            </>
          ) : (
            <p className="composer-note quiet">
              This console may not open sessions. Open one of the <Link to="/sessions">list</Link>.
            </p>
          )}
        </div>
      )}
    </div>
  );
}

function withAgent(agents: readonly Agent[], agent: Agent | undefined): readonly Agent[] {
  return !agent || agents.some(({ id }) => id === agent.id) ? agents : [agent, ...agents];
}
