import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";

import type { Agent, TokenIssuer } from "../../../../sdk/index.ts";
import { useMay, useReprise } from "../../../access/access-context.ts";
import { CopyButton } from "../../../components/copy-button.tsx";

const MOST_ISSUERS = 100;

/** Instructions for a client of MCP that uses this agent as a server. */
export function ConnectTab({ agent }: { readonly agent: Agent }) {
  const reprise = useReprise();
  const mayReadIssuers = useMay("keys:read");
  const { data } = useQuery({
    queryKey: ["token-issuers", "all"],
    queryFn: () => reprise.tokenIssuers.list({ limit: MOST_ISSUERS }).page(null),
    enabled: mayReadIssuers,
  });
  const url = `${location.origin}/v1/agents/${agent.id}/mcp`;
  const config = JSON.stringify(
    {
      mcpServers: {
        [serverName(agent.name)]: {
          type: "http",
          url,
          headers: { Authorization: "Bearer ${REPRISE_API_KEY}" },
        },
      },
    },
    null,
    2,
  );
  return (
    <div className="panel-stack">
      <section className="panel" aria-label="Address">
        <h2>As an MCP server</h2>
        <p>
          Any client of the Model Context Protocol can ask this agent: with <code>ask_…</code> it
          sends a message, with <code>resume_…</code> it answers what waits, with{" "}
          <code>stop_…</code> it stops the answer.
        </p>
        <p className="state-line">
          <code>{url}</code>
          <CopyButton text={url} what="address" />
        </p>
      </section>
      <section className="panel" aria-label="Settings of a client">
        <div className="panel-head">
          <h2>Settings of a client</h2>
          <CopyButton text={config} what="settings" />
        </div>
        <p className="quiet">
          Streamable HTTP; the key needs <code>replies:write</code> and, for a new conversation,{" "}
          <code>sessions:write</code>. Make one under <Link to="/keys">Keys</Link>.
        </p>
        <pre className="code-text" tabIndex={0} role="region" aria-label="Settings as JSON">
          <code>{config}</code>
        </pre>
      </section>
      <section className="panel" aria-label="End users">
        <h2>End users with a token of their own</h2>
        {data ? (
          <Issuers issuers={issuersOf(data.data, agent.id)} />
        ) : (
          <p>
            They sign in at an identity provider that the tenant has registered as a token issuer.
          </p>
        )}
        <p>
          <a href="/docs/mcp-server">Read about agents as MCP servers</a>
        </p>
      </section>
    </div>
  );
}

function Issuers({ issuers }: { readonly issuers: readonly TokenIssuer[] }) {
  if (issuers.length === 0) {
    return (
      <p>
        No issuer is registered for this agent, so it takes API keys alone. Add one under{" "}
        <Link to="/token-issuers">Token issuers</Link>.
      </p>
    );
  }
  return (
    <>
      <p>
        Clients find the issuer by themselves, and bring its tokens. Change them under{" "}
        <Link to="/token-issuers">Token issuers</Link>.
      </p>
      <ul>
        {issuers.map(({ id, name, issuer, verbs }) => (
          <li key={id}>
            <strong>{name}</strong> <span className="code">{issuer}</span>{" "}
            <span className="quiet">may {verbs.join(", ")}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function issuersOf(issuers: readonly TokenIssuer[], agentId: string): readonly TokenIssuer[] {
  return issuers.filter(({ agent_ids }) => agent_ids === null || agent_ids.includes(agentId));
}

/** A key of the settings, as clients take it. */
function serverName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return plain === "" ? "agent" : plain;
}
