// A session whose agent has an agent of another system as a tool.
import { createAgent, createTenant, request } from "../platform-client.ts";
import type { TaskReply } from "../mcp/task-desk.ts";
import { waitFor } from "../wait-for.ts";

export const CALL = '/call play {"message":"Go"}';

export interface RemoteDesk {
  readonly key: string;
  readonly agentId: string;
  readonly path: string;
  begin(input: string): Promise<string>;
  read(replyId: string): Promise<TaskReply>;
  /** Once it has ended, or waits for a person. */
  settled(replyId: string): Promise<TaskReply>;
  /** Once it waits, or has ended, after an answer. */
  answer(reply: TaskReply, output: object): Promise<void>;
  tasks(): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

export async function openRemoteDesk(tool: object, options: object = {}): Promise<RemoteDesk> {
  const { key } = await createTenant();
  const remote = { type: "a2a", name: "play", read_only: true, ...tool };
  const agentId = await createAgent(key, { name: "Desk", tools: [remote], ...options });
  const made = await request<{ id: string }>("POST", "/v1/sessions", {
    key,
    body: { agent_id: agentId },
  });
  const path = `/v1/sessions/${made.body.id}`;
  const read = async (id: string) =>
    (await request<TaskReply>("GET", `${path}/replies/${id}`, { key })).body;
  return {
    key,
    agentId,
    path,
    read,
    async begin(input) {
      const body = { input, background: true };
      const begun = await request<TaskReply>("POST", `${path}/replies`, { key, body });
      return begun.body.id;
    },
    settled: (id) =>
      waitFor(async () => {
        const reply = await read(id);
        if (reply.status === "running") throw new Error("the reply runs");
        return reply;
      }),
    async answer({ id: reply_id, pending }, output) {
      const [call] = pending;
      if (!call) throw new Error("nothing waits");
      const { id, name } = call.tool_call;
      const result = {
        type: "tool_result",
        id,
        name,
        output: JSON.stringify(output),
        state: "success",
      };
      const event = { type: "EXTERNAL_EXECUTION_RESULT", reply_id, execution_results: [result] };
      const answered = await request("POST", `${path}/events`, { key, body: event });
      if (answered.status >= 300) throw new Error(JSON.stringify(answered.body));
    },
    async tasks() {
      const listed = await request<{ data: Record<string, unknown>[] }>("GET", `${path}/tasks`, {
        key,
      });
      return listed.body.data;
    },
  };
}
