// An MCP server whose tool `act` gives tasks, in both eras. A test says what becomes of them.
import { startRawServer, TOOL, writeJson, type RawMethod, type RawServer } from "./raw-server.ts";

export type TaskEra = "modern" | "legacy";

interface Posted {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: {
    readonly taskId?: string;
    readonly task?: object;
    readonly inputResponses?: Readonly<Record<string, object>>;
    readonly arguments?: object;
  };
}

export interface GivenTask {
  readonly id: string;
  /** Members of the task in the answer of `tasks/get`, beside its id. */
  state: Readonly<Record<string, unknown>>;
  /** The answer of `tasks/result`. */
  result: object;
  cancelled: boolean;
  looks: number;
  readonly answers: object[];
}

export interface TaskServer {
  readonly url: string;
  readonly raw: RawServer;
  /** In the order of their calls. */
  readonly tasks: readonly GivenTask[];
  /** The messages that were posted with this method. */
  posted(method: string): readonly Posted[];
  /** Ends the task of this place with a text. */
  finish(index: number, text: string): void;
  stop(): Promise<void>;
}

/** A look as often as the platform allows. */
const WORKING = { status: "working", ttlMs: null, ttl: null, pollIntervalMs: 1, pollInterval: 1 };
const TIMES = { createdAt: "2026-11-23T10:00:00Z", lastUpdatedAt: "2026-11-23T10:00:00Z" };

/** @param first What a new task's state is, beside the usual. @param support Of the tool, in the older era. */
export async function startTaskServer(
  era: TaskEra,
  { first = {}, support = "required" }: { first?: object; support?: string } = {},
): Promise<TaskServer> {
  const tasks: GivenTask[] = [];
  const find = (message: object): GivenTask | undefined =>
    tasks.find(({ id }) => id === (message as Posted).params?.taskId);
  const withTask =
    (answer: (task: GivenTask, message: Posted) => object): RawMethod =>
    (message, response) => {
      const task = find(message);
      if (task) return answer(task, message as Posted);
      const error = { code: -32_602, message: "Failed to retrieve task: Task not found" };
      writeJson(response, { id: message.id, error });
      return undefined;
    };
  const shown = (task: GivenTask) => ({ ...TIMES, taskId: task.id, ...task.state });
  const complete = { resultType: "complete" };
  const raw = await startRawServer({
    ...(era === "modern"
      ? {
          "server/discover": () => ({
            supportedVersions: ["2026-07-28"],
            capabilities: { tools: {}, extensions: { "io.modelcontextprotocol/tasks": {} } },
            serverInfo: { name: "raw", version: "1" },
          }),
        }
      : {
          initialize: (_message, response) => {
            response.setHeader("mcp-session-id", `ses-${crypto.randomUUID()}`);
            return {
              protocolVersion: "2025-11-25",
              capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } }, cancel: {} } },
              serverInfo: { name: "raw", version: "1" },
            };
          },
          "tasks/result": withTask(({ result }) => result),
        }),
    "tools/list": () => ({ tools: [{ ...TOOL, execution: { taskSupport: support } }] }),
    "tools/call": (message) => {
      if (era === "legacy" && !(message as Posted).params?.task) {
        return { content: [{ type: "text", text: "without a task" }] };
      }
      const task: GivenTask = {
        id: `task-${tasks.length + 1}-${crypto.randomUUID()}`,
        state: { ...WORKING, ...first },
        result: {},
        cancelled: false,
        looks: 0,
        answers: [],
      };
      tasks.push(task);
      return era === "modern" ? { ...shown(task), resultType: "task" } : { task: shown(task) };
    },
    "tasks/get": withTask((task) => {
      task.looks += 1;
      return { ...complete, ...shown(task) };
    }),
    "tasks/update": withTask((task, { params }) => {
      task.answers.push(params?.inputResponses ?? {});
      return complete;
    }),
    "tasks/cancel": withTask((task) => {
      task.cancelled = true;
      task.state = { ...task.state, status: "cancelled" };
      return { ...complete, ...(era === "legacy" && shown(task)) };
    }),
  });
  return {
    url: raw.url,
    raw,
    tasks,
    posted: (method) => (raw.posts as readonly Posted[]).filter((one) => one.method === method),
    finish(index, text) {
      const task = tasks[index];
      if (!task) throw new Error(`there is no task ${index}`);
      const result = { content: [{ type: "text", text }] };
      task.result = result;
      task.state = { ...task.state, status: "completed", ...(era === "modern" && { result }) };
    },
    stop: () => raw.stop(),
  };
}
