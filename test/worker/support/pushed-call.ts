// A call whose task at an agent of another system works, and the address that the agent was given. The agent is gone then:
// nothing answers for it.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";

import type { KeptTask } from "../../../agent/mcp/kept-task.ts";
import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { waitUntil } from "../../support/wait-for.ts";
import { ask, openSession } from "./api.ts";

const TASK = { id: "t1", contextId: "c1", status: { state: "TASK_STATE_WORKING" } };
const CARD = {
  name: "Agent",
  description: "Works.",
  version: "1",
  // Its port is not open.
  supportedInterfaces: [
    { url: "http://localhost:1/", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
  ],
  capabilities: { pushNotifications: true },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [],
};

interface Given {
  readonly url: string;
  readonly token: string;
}

export async function openPushedCall() {
  let given: Given | null = null;
  const spy = vi.spyOn(globalThis, "fetch").mockImplementation((_, init) => {
    const { id, method, params } = JSON.parse(init?.body as string) as {
      id: string;
      method: string;
      params: Given;
    };
    if (method.startsWith("Create")) given = params;
    const result = { SendMessage: { task: TASK }, GetTask: TASK }[method] ?? params;
    return Promise.resolve(Response.json({ jsonrpc: "2.0", id, result }));
  });
  const tool = { type: "a2a", name: "play", read_only: true, card: { inline: CARD } };
  const opened = await openSession({ name: "Desk", tools: [tool] });
  const { call, path, session, tenantId } = opened;
  const input = '/call play {"message":"Go"}\n/say Done.';
  await ask<Reply>("POST", `${path}/replies`, { ...call, json: { input, background: true } });
  const stub = env.SESSION.getByName(sessionObjectName(tenantId, session.id));
  /** The look that was asked for last, as the call keeps it; undefined for none that waits. */
  const lookAt = () =>
    runInDurableObject(stub, (_, { storage }) => {
      const query = "SELECT request FROM tool_calls WHERE request IS NOT NULL";
      const [row] = storage.sql.exec<{ request: string }>(query).toArray();
      const { task } = JSON.parse(row?.request ?? "{}") as { task?: KeptTask };
      return task?.push?.config_id ? task.push.look_at : undefined;
    });
  const waits = () =>
    runInDurableObject(stub, (_, { storage }) => {
      const query = "SELECT 1 FROM timers WHERE kind = 'task'";
      return storage.sql.exec(query).toArray()[0];
    });
  await waitUntil(waits);
  spy.mockRestore();
  const { url = "", token: secret = "" } = (given ?? {}) as Partial<Given>;
  const headers = { "X-A2A-Notification-Token": secret };
  const remote_push_token = url.slice(url.lastIndexOf("/") + 1);
  return { ...opened, lookAt, headers, remote_push_token, pushPath: new URL(url).pathname };
}
