// A session whose agent's turns are those of a server on this machine.
import { onTestFinished } from "vitest";

import type { LoggedEvent } from "../../protocol/events.ts";
import type { Reply } from "../../protocol/replies/contract.ts";
import { startAgentServer } from "./agent-server.ts";
import { createAgent, createSession, createTenant, request } from "./platform-client.ts";

type Answer = Parameters<typeof startAgentServer>[0];

interface Serving {
  /** Members of `code_agent` beside its url. */
  readonly code_agent?: object;
  /** Members of the agent. */
  readonly agent?: object;
}

export async function openServed(answer: Answer, { code_agent = {}, agent = {} }: Serving = {}) {
  const server = await startAgentServer(answer);
  onTestFinished(() => server.stop());
  const { key } = await createTenant();
  const agentId = await createAgent(key, {
    code_agent: { type: "http", url: server.url, timeout_ms: 30_000, ...code_agent },
    ...agent,
  });
  const path = `/v1/sessions/${await createSession(key, agentId)}`;
  const ask = async <Body>(method: string, what: string, body?: unknown) =>
    request<Body>(method, `${path}${what}`, { key, body });
  return {
    key,
    agentId,
    path,
    server,
    ask,
    say: async (input: unknown, more: object = {}): Promise<Reply> =>
      (await ask<Reply>("POST", "/replies", { input, ...more })).body,
    events: async (): Promise<readonly LoggedEvent[]> =>
      (await ask<{ data: LoggedEvent[] }>("GET", "/events?limit=100")).body.data,
  };
}
