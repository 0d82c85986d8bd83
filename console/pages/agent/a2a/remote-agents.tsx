import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Waypoints } from "lucide-react";

import type { Agent, RemoteAgentView, SessionTask } from "../../../../sdk/index.ts";
import { useMay, useReprise } from "../../../access/access-context.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { failureText, sentenceOf } from "../../../components/failure-text.ts";
import { LoadingState } from "../../../components/loading-state.tsx";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { TimeStamp } from "../../../components/time-stamp.tsx";

/** Sessions of each status whose tasks are asked for, each by a request. */
const SHOWN_SESSIONS = 20;
/** A task that asks a person makes its session wait. */
const OPEN_STATUSES = ["running", "awaiting_external_result", "awaiting_permission"] as const;

/** Whether the agent has agents of other systems. */
export function hasRemoteAgents({ model, tools }: Agent): boolean {
  return model.provider === "a2a" || tools.some(({ type }) => type === "a2a");
}

/** The agents of other systems that give its replies or are called by it: their cards now, and what waits at them. */
export function RemoteAgents({ agent }: { readonly agent: Agent }) {
  const reprise = useReprise();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["agent", agent.id, "remote-agents", agent.version],
    queryFn: () => reprise.agents.a2a.remotes(agent.id),
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Reading the cards…" />;
  if (data.data.length === 0) {
    return (
      <EmptyState icon={Waypoints} title="No agents of other systems">
        <p>
          Tools of the type <code>a2a</code>, and a model with the provider <code>a2a</code>, are
          shown here. <a href="/docs/a2a-agents">Read about agents of other systems</a>
        </p>
      </EmptyState>
    );
  }
  return (
    <section className="check" aria-label="Agents of other systems">
      <header className="version-head">
        <h2>Agents of other systems</h2>
        <span className="quiet">
          Their cards were read now; they themselves were asked nothing.
        </span>
        <button
          type="button"
          className="button"
          disabled={isFetching}
          onClick={() => void refetch()}
        >
          Look again
        </button>
      </header>
      <ul className="check-list" aria-label="Cards">
        {data.data.map((one) => (
          <Remote key={one.tool_name ?? ""} remote={one} />
        ))}
      </ul>
      <OpenTasks agentId={agent.id} />
    </section>
  );
}

function Remote({ remote }: { readonly remote: RemoteAgentView }) {
  const { tool_name, source_name, duration_ms, card, failure, last_failure } = remote;
  return (
    <li className="check-finding">
      <div className="check-head">
        <StatusBadge status={card ? "ok" : "failed"} />
        <strong>
          <bdi>{card?.name ?? tool_name ?? "The model"}</bdi>
        </strong>
        <span className="quiet">
          {tool_name === null ? "gives the replies" : `tool ${tool_name}`}
          {failure?.http_status && ` · ${failure.http_status}`} · {duration_ms.toLocaleString()} ms
        </span>
      </div>
      {card && <Card card={card} />}
      {failure && <p>{sentenceOf(failure.note)}</p>}
      {failure?.hint && <p className="check-hint">{failure.hint}</p>}
      {last_failure && (
        <p className="quiet">
          Failed last in a reply: <TimeStamp at={last_failure.failed_at} /> ({last_failure.kind}
          {last_failure.http_status !== null && `, ${last_failure.http_status}`})
        </p>
      )}
      {source_name !== null && (
        <p className="quiet">
          Card: <code>{source_name}</code>
        </p>
      )}
    </li>
  );
}

function Card({ card }: { readonly card: NonNullable<RemoteAgentView["card"]> }) {
  const { description, version, protocol_version, binding, url, skills, skill_count } = card;
  const more = skill_count - skills.length;
  return (
    <>
      {description !== "" && <p dir="auto">{description}</p>}
      <p className="quiet">
        A2A {protocol_version} by {binding}
        {version !== "" && (
          <>
            {" "}
            · version <bdi>{version}</bdi>
          </>
        )}{" "}
        · {card.is_signed ? "signed by a pinned key" : "no key is pinned"} ·{" "}
        {card.streaming ? "streams" : "is asked for its answers"}
        {card.push_notifications && " · tells of changes"}
      </p>
      <p className="state-line">
        <code>{url}</code>
      </p>
      {skills.length > 0 && (
        <ul aria-label={`Skills of ${card.name}`}>
          {skills.map(({ id, name, description: about }, index) => (
            // Two skills may have one id.
            <li key={`${index} ${id}`}>
              <strong>
                <bdi>{name}</bdi>
              </strong>{" "}
              <bdi>{about}</bdi>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p className="quiet">And {more.toLocaleString()} more skills.</p>}
    </>
  );
}

interface OpenTask extends SessionTask {
  readonly session_id: string;
}

/** Tasks that calls wait for, in the newest sessions of the agent whose replies run or wait. */
function OpenTasks({ agentId }: { readonly agentId: string }) {
  const reprise = useReprise();
  const mayRead = useMay("sessions:read");
  const { data, error } = useQuery({
    queryKey: ["agent", agentId, "remote-tasks"],
    enabled: mayRead,
    queryFn: async (): Promise<readonly OpenTask[]> => {
      const pages = await Promise.all(
        OPEN_STATUSES.map((status) => {
          const filter = { agent_id: agentId, status, limit: SHOWN_SESSIONS };
          return reprise.sessions.list(filter).page(null);
        }),
      );
      const ids = new Set(pages.flatMap(({ data: sessions }) => sessions.map(({ id }) => id)));
      const lists = await Promise.all(
        [...ids].map(async (id) => {
          // A session may be deleted meanwhile.
          const tasks = await reprise
            .session(id)
            .tasks.list()
            .catch(() => []);
          return tasks.map((task) => ({ ...task, session_id: id }));
        }),
      );
      return lists.flat().filter(({ kind }) => kind === "a2a");
    },
  });
  if (!mayRead) return null;
  return (
    <section className="panel" aria-label="Open tasks">
      <h2>Open tasks</h2>
      {error && <p role="alert">{failureText(error)}</p>}
      {data?.length === 0 && <p className="quiet">No call waits for a task of theirs.</p>}
      {data && data.length > 0 && (
        <ul>
          {data.map((task) => (
            <li key={task.id + task.session_id}>
              <StatusBadge status={task.status} /> {task.tool_name}, since{" "}
              <TimeStamp at={task.created_at} />
              {task.message !== null && `: ${task.message}`}{" "}
              <Link
                to="/sessions/$sessionId"
                params={{ sessionId: task.session_id }}
                search={{ tab: "tasks" } as never}
              >
                Session
              </Link>
            </li>
          ))}
        </ul>
      )}
      <p className="quiet">
        Of the {SHOWN_SESSIONS} newest sessions whose replies run, and as many that wait.
      </p>
    </section>
  );
}
