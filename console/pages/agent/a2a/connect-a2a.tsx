import { useQuery } from "@tanstack/react-query";

import type { Agent } from "../../../../sdk/index.ts";
import { useReprise } from "../../../access/access-context.ts";
import { CopyButton } from "../../../components/copy-button.tsx";
import { failureText } from "../../../components/failure-text.ts";

/** The agent's card, and instructions for a client of A2A that uses this agent as a server. */
export function ConnectA2a({ agent }: { readonly agent: Agent }) {
  if (agent.a2a?.enabled !== true) return <NotEnabled />;
  const base = `${location.origin}/v1/agents/${agent.id}/a2a`;
  const card = `${base}/.well-known/agent-card.json`;
  return (
    <div className="panel-stack">
      <section className="panel" aria-label="A2A address">
        <h2>As an A2A agent</h2>
        <p>
          Agents of other systems find this one by its card, and give it tasks: over JSON-RPC or
          HTTP+JSON, in version 1.0 of A2A.
        </p>
        <p className="state-line">
          <code>{card}</code>
          <CopyButton text={card} what="card's address" />
        </p>
        <p className="quiet">
          {agent.a2a.public_card === true
            ? "The card is shown to everybody; tasks need a credential."
            : "The card needs a credential, as tasks do."}{" "}
          A key needs <code>replies:write</code> and, for a new context, <code>sessions:write</code>
          . <a href="/docs/a2a">Read about agents and A2A</a>
        </p>
      </section>
      <Card agent={agent} />
    </div>
  );
}

function NotEnabled() {
  return (
    <section className="panel" aria-label="A2A address">
      <h2>As an A2A agent</h2>
      <p>
        Agents of other systems cannot give this one tasks. Set <code>a2a</code> to{" "}
        <code>{`{"enabled": true}`}</code> in its definition.
      </p>
      <p>
        <a href="/docs/a2a">Read about agents and A2A</a>
      </p>
    </section>
  );
}

function Card({ agent }: { readonly agent: Agent }) {
  const reprise = useReprise();
  const { data, error } = useQuery({
    queryKey: ["agents", agent.id, "a2a", agent.version],
    queryFn: () => reprise.agents.a2a.card(agent.id),
  });
  const text = data ? JSON.stringify(data, null, 2) : "";
  return (
    <section className="panel" aria-label="Card">
      <div className="panel-head">
        <h2>Card</h2>
        {data && <CopyButton text={text} what="card" />}
      </div>
      {error && <p role="alert">{failureText(error)}</p>}
      {data && (
        <>
          <ul>
            {data.skills.map(({ id, name, description }) => (
              <li key={id}>
                <strong>{name}</strong> {description}
              </li>
            ))}
          </ul>
          <p className="quiet">
            {data.signatures && data.signatures.length > 0
              ? "Signed by this deployment."
              : "Not signed: the deployment has no key for cards."}
          </p>
          <pre className="code-text" tabIndex={0} role="region" aria-label="Card as JSON">
            <code>{text}</code>
          </pre>
        </>
      )}
    </section>
  );
}
