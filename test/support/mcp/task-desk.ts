// A session whose agent has the tool of a server that gives tasks.
import { request } from "../platform-client.ts";
import { waitFor } from "../wait-for.ts";
import { openMcpDesk, type McpDesk } from "./mcp-desk.ts";
import { hintsOf, sayInTime } from "./say-in-time.ts";
import type { GivenTask, TaskServer } from "./task-server.ts";

export const ACT = "/call mcp__wh__act {}";

export interface TaskReply {
  readonly id: string;
  readonly status: string;
  readonly pending: readonly {
    readonly tool_call: { readonly id: string; readonly name: string };
    readonly elicitation?: object;
    readonly authorization?: object;
  }[];
  readonly tasks?: readonly Readonly<Record<string, unknown>>[];
  readonly message: {
    readonly content: readonly {
      readonly type: string;
      readonly state?: string;
      readonly metadata?: object;
      readonly output?: readonly { readonly text?: string }[];
    }[];
  };
}

export interface TaskDesk extends McpDesk {
  /** Begins a reply, and does not wait for it. @returns its id. */
  begin(input: string): Promise<string>;
  read(replyId: string): Promise<TaskReply>;
  /** Once it has ended, or waits for a person. */
  settled(replyId: string): Promise<TaskReply>;
}

export async function openTaskDesk(
  url: string,
  options?: Parameters<typeof openMcpDesk>[1],
): Promise<TaskDesk> {
  const desk = await openMcpDesk(url, options);
  const { key, path } = desk;
  const read = async (id: string) =>
    (await request<TaskReply>("GET", `${path}/replies/${id}`, { key })).body;
  const settled = (id: string) =>
    waitFor(async () => {
      const reply = await read(id);
      if (reply.status === "running") throw new Error("the reply runs");
      return reply;
    });
  /** Once its model has said something: the tools are listed before that. */
  const begunReply = async (id: string) => {
    const reply = await read(id);
    const hasSpoken = (reply.message?.content ?? []).some(({ type }) => type !== "hint");
    if (reply.status === "running" && !hasSpoken) throw new Error("the model has said nothing");
    return reply;
  };
  return {
    ...desk,
    read,
    async begin(input) {
      const body = { input, background: true };
      const begin = async () => {
        const begun = await request<TaskReply>("POST", `${path}/replies`, { key, body });
        const reply = await waitFor(() => begunReply(begun.body.id));
        // One whose tools are missing is over soon.
        return hintsOf(reply).length > 0 ? settled(reply.id) : reply;
      };
      return (await sayInTime(begin)).id;
    },
    settled,
  };
}

/** The texts of its results. */
export function textsOf({ message }: TaskReply): readonly string[] {
  return message.content.flatMap(({ type, output = [] }) =>
    type === "tool_result" ? [output.map(({ text }) => text ?? "").join("")] : [],
  );
}

export function statesOf({ message }: TaskReply): readonly (string | undefined)[] {
  return message.content.flatMap(({ type, state }) => (type === "tool_result" ? [state] : []));
}

/** Once the server was asked so often for this task. */
export function lookedAt({ tasks }: TaskServer, index: number, looks = 1): Promise<GivenTask> {
  return waitFor(() => {
    const task = tasks[index];
    if (!task) throw new Error(`there are ${tasks.length} tasks`);
    if (task.looks < looks) throw new Error(`the task was looked at ${task.looks} times`);
    return task;
  });
}
