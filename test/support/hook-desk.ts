// A session whose agent has hooks that one server answers, and a tool that pays.
import { onTestFinished } from "vitest";

import type { LoggedEvent } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { startHookServer, type AskedHook } from "./hook-server.ts";
import { createAgent, createSession, createTenant, request } from "./platform-client.ts";
import { answer, startToolServer } from "./tool-server.ts";

export interface HookedReply {
  readonly id: string;
  readonly status: string;
  readonly message: Msg;
}

/** As long as a hook may take: none of the tests is about time. */
export const HOOK_TIMEOUT_MS = 30_000;

export type HookDeskAnswer = (asked: AskedHook, count: number) => unknown;

/** A session whose agent has hooks at these points, all answered by one server. */
export async function openHookDesk(
  points: readonly string[],
  answerHook: HookDeskAnswer,
  agent: object = {},
) {
  const server = await startHookServer(answerHook);
  const tools = await startToolServer({ "/pay": answer("paid to 4711 0815", "text/plain") });
  onTestFinished(() => server.stop());
  onTestFinished(() => tools.stop());
  const { key } = await createTenant();
  const { url } = server;
  const timeout_ms = HOOK_TIMEOUT_MS;
  const hooks = points.map((point) => ({ name: "desk", point, type: "http", url, timeout_ms }));
  const pay = {
    type: "http",
    name: "pay",
    url: `${tools.url}/pay`,
    input_schema: { type: "object", required: ["to"], properties: { to: { type: "string" } } },
    rule_argument: "/to",
  };
  const agentId = await createAgent(key, { tools: [pay], hooks, ...agent });
  const session = await createSession(key, agentId);
  const path = `/v1/sessions/${session}`;
  return {
    key,
    path,
    server,
    say: async (input: unknown): Promise<HookedReply> => {
      return (await request<HookedReply>("POST", `${path}/replies`, { key, body: { input } })).body;
    },
    events: async (): Promise<readonly LoggedEvent[]> => {
      const all = await request<{ data: LoggedEvent[] }>("GET", `${path}/events?limit=100`, {
        key,
      });
      return all.body.data;
    },
  };
}

export const ALLOW_PAY = {
  permission: { mode: "default", rules: [{ tool_name: "pay", behavior: "allow" }] },
};

export function textOf({ message }: HookedReply): string {
  return message.content.flatMap((block) => (block.type === "text" ? block.text : [])).join("");
}

export function answersIn(events: readonly LoggedEvent[]) {
  return events.flatMap((event) =>
    event.type === "CUSTOM" && event.name === "hook_answered" ? [event.value] : [],
  );
}
