// The common set-up of the tests of replies' ends: a session on an agent with a provider and tools of the test, by HTTP
// alone.
import { onTestFinished } from "vitest";

import type { Reply } from "../../../protocol/replies/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import type { FakeTurn } from "../../support/fake-openai.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  readSse,
  request,
} from "../../support/platform-client.ts";
import { answer, silence, startToolServer, type ToolServer } from "../../support/tool-server.ts";

export interface Started {
  readonly key: string;
  readonly agent: string;
  readonly path: string;
}

/** The texts of its message, with a bar between blocks. */
export const textOf = ({ message }: Pick<Reply, "message">): string =>
  (message?.content ?? []).flatMap((block) => (block.type === "text" ? block.text : [])).join("|");

export async function startTools(): Promise<ToolServer> {
  const tools = await startToolServer({
    "/look": answer("In Bremen.", "text/plain"),
    "/fail": answer("Broken.", "text/plain", 500),
    "/hang": silence,
  });
  onTestFinished(() => tools.stop());
  return tools;
}

export function toolAt(tools: ToolServer, name: string, more: object = {}): object {
  return { type: "http", name, url: `${tools.url}/${name}`, read_only: true, ...more };
}

export async function openSession(definition: object): Promise<Started> {
  const { key } = await createTenant();
  const agent = await createAgent(key, definition);
  return { key, agent, path: `/v1/sessions/${await createSession(key, agent)}` };
}

export async function say(
  { key, path }: Started,
  input: string,
  more: object = {},
): Promise<Reply> {
  const body = { input, ...more };
  return (await request<Reply>("POST", `${path}/replies`, { key, body })).body;
}

export async function eventsOf({ key, path }: Started): Promise<LoggedEvent[]> {
  const response = await openRequest("GET", `${path}/events?after=0`, {
    key,
    headers: { accept: "text/event-stream" },
  });
  return (await readSse(response)).map(({ data }) => JSON.parse(data) as LoggedEvent);
}

export async function statusOf({ key, path }: Started, id: string): Promise<string> {
  return (await request<Reply>("GET", `${path}/replies/${id}`, { key })).body.status;
}

/** A turn of chat completions that makes one call. */
export function calls(id: string, name: string, input = "{}"): FakeTurn {
  return (stream) => {
    stream.calls({ index: 0, id, name, arguments: input });
    stream.finish("tool_calls");
    stream.done();
  };
}
