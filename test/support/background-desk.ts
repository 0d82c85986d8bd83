// An agent with a tool that works in the background, and the tool's server, whose answers wait for the test.
import { onTestFinished } from "vitest";

import type { SessionTask, SessionTaskList } from "../../protocol/background/contract.ts";
import type { Reply } from "../../protocol/replies/contract.ts";
import { createTenant, request, type Answer } from "./platform-client.ts";
import { startToolServer, type ToolServer } from "./tool-server.ts";
import { waitFor } from "./wait-for.ts";

/** The body of a request of the tool. */
interface SentCall {
  readonly tool_call_id: string;
  readonly task_id?: string;
  readonly callback_url?: string | null;
}

interface HeldCall {
  /** Answers the request. */
  answer(body: unknown, status?: number, headers?: Readonly<Record<string, string>>): void;
}

export interface ReportServer extends ToolServer {
  /** The request of a call, counted from 0, once it is there. */
  sent(index: number): Promise<SentCall>;
  answer(index: number, ...answer: Parameters<HeldCall["answer"]>): Promise<void>;
}

/** `/report` answers when the test says so; `/posted` answers 202 at once; `/quick` with a result. */
export async function startReportServer(): Promise<ReportServer> {
  const held: HeldCall[] = [];
  const server = await startToolServer({
    "/report": (response) => {
      held.push({
        answer(body, status = 200, headers = {}) {
          response.writeHead(status, { "content-type": "application/json", ...headers });
          response.end(JSON.stringify(body));
        },
      });
    },
    "/posted": (response) => {
      response.writeHead(202).end();
    },
    "/quick": (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ output: "quick" }));
    },
  });
  onTestFinished(() => server.stop());
  return {
    ...server,
    requests: server.requests,
    sent: (index) =>
      waitFor(() => {
        const sent = server.requests[index];
        if (!sent) throw new Error("the call has not come");
        return sent.body as SentCall;
      }),
    async answer(index, ...answer) {
      const call = await waitFor(() => {
        const found = held[index];
        if (!found) throw new Error("the call has not come");
        return found;
      });
      call.answer(...answer);
    },
  };
}

type Ask = <Body>(method: string, path: string, body?: unknown) => Promise<Answer<Body>>;

export interface BackgroundDesk {
  readonly key: string;
  readonly session: string;
  readonly server: ReportServer;
  readonly ask: Ask;
  /** Waits for the end of the reply. */
  say(input: string, more?: object): Promise<Reply>;
  tasks(): Promise<readonly SessionTask[]>;
  replies(): Promise<readonly Reply[]>;
  /** The reply that the task has begun, once it has ended. */
  woken(taskId: string): Promise<Reply>;
}

/** @param tool Members of the tool `report` that differ. */
export async function openBackgroundDesk(
  tool: object = {},
  agent: object = {},
): Promise<BackgroundDesk> {
  const server = await startReportServer();
  const { key } = await createTenant();
  const ask: Ask = (method, path, body) => request(method, path, { key, body });
  const made = await ask<{ id: string }>("POST", "/v1/agents", {
    name: "Desk",
    model: { provider: "scripted", name: "refund-desk" },
    tools: [reportTool(server, tool)],
    ...agent,
  });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const session = await ask<{ id: string }>("POST", "/v1/sessions", { agent_id: made.body.id });
  return deskOf({ key, session: session.body.id, server, ask });
}

export function reportTool(server: Pick<ReportServer, "url">, overrides: object = {}) {
  return {
    type: "http",
    name: "report",
    url: `${server.url}/report`,
    read_only: true,
    background_after_ms: 50,
    timeout_ms: 600_000,
    ...overrides,
  };
}

export function deskOf(
  desk: Pick<BackgroundDesk, "key" | "session" | "server" | "ask">,
): BackgroundDesk {
  const { ask, session } = desk;
  const path = `/v1/sessions/${session}`;
  const tasks = async () => (await ask<SessionTaskList>("GET", `${path}/tasks`)).body.data;
  return {
    ...desk,
    async say(input, more = {}) {
      const begun = await ask<Reply>("POST", `${path}/replies`, {
        input,
        background: true,
        ...more,
      });
      return waitFor(async () => {
        const { body } = await ask<Reply>("GET", `${path}/replies/${begun.body.id}`);
        if (body.status === "running") throw new Error("the reply runs");
        return body;
      });
    },
    tasks,
    replies: async () =>
      [...(await ask<{ data: Reply[] }>("GET", `${path}/replies?limit=100`)).body.data].reverse(),
    woken: (taskId) =>
      waitFor(async () => {
        const task = (await tasks()).find(({ id }) => id === taskId);
        if (!task?.woken_reply_id) throw new Error("the task has begun no reply");
        const { body } = await ask<Reply>("GET", `${path}/replies/${task.woken_reply_id}`);
        if (body.status === "running") throw new Error("the reply runs");
        return body;
      }),
  };
}

/** The text of the one result of a reply. */
export function resultOf({ message }: Reply): string {
  const result = message?.content.find(({ type }) => type === "tool_result");
  if (result?.type !== "tool_result") return "";
  return typeof result.output === "string"
    ? result.output
    : result.output.map((block) => (block.type === "text" ? block.text : "")).join("");
}

/** The text of a reply. */
export function saidIn({ message }: Reply): string {
  return (message?.content ?? [])
    .map((block) => (block.type === "text" ? block.text : ""))
    .join("");
}
