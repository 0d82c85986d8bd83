// A call with a task. In a reply it is parked between two looks; one tool alone waits here for as long as its call may take.
import { isSilentTooLong, type KeptTask } from "../../agent/mcp/kept-task.ts";
import type { ToolCallRequest } from "../../agent/ports.ts";
import type { InputRequest } from "../../protocol/mcp/elicitation.ts";
import type { McpCatalogueTool } from "../../protocol/mcp/contract.ts";
import { pause } from "../../runtime/pause.ts";
import type { CallDeadline } from "./call-deadline.ts";
import { continueTask } from "./continue-task.ts";
import type { McpLink } from "./mcp-link.ts";
import type { McpResultOf } from "./mcp-outcome.ts";
import type { McpPeople } from "./mcp-people.ts";

type Fields = Readonly<Record<string, unknown>>;

interface FollowedTask {
  readonly link: McpLink;
  readonly tool: Pick<McpCatalogueTool, "name">;
  readonly deadline: CallDeadline;
  /** Null where nobody can be asked, and nothing can be parked. */
  readonly people: McpPeople | null;
  readonly answered?: ToolCallRequest["answered"];
  /** The server has given it just now. */
  readonly isNew: boolean;
}

interface TaskEnd {
  readonly outcome: McpResultOf<Fields>;
  /** The server has asked, and nobody could be. */
  readonly isUnasked: boolean;
}

type TaskUpdate =
  | { readonly task: KeptTask }
  | { readonly requests: Readonly<Record<string, InputRequest>>; readonly held: boolean };

/** Yields what the call waits for, if it does. Contract: never throws. */
export async function* followTask(
  given: KeptTask,
  { link, tool: { name }, deadline, people, answered, isNew }: FollowedTask,
): AsyncGenerator<TaskUpdate, TaskEnd> {
  let isUnasked = false;
  const noteUnasked = (): void => {
    isUnasked = true;
  };
  const context = { link, name, deadline, canAsk: people !== null, answered, noteUnasked };
  let task = given;
  if (isNew && deadline.isStopped) {
    void link.cancelTask(task.id);
    return end(`${name} was stopped.`);
  }
  for (let isFirst = isNew; ; isFirst = false) {
    if (!isFirst) {
      const settled = people?.kept()?.settled ?? {};
      const before = { ...task, rounds: task.rounds + 1 };
      const step = await continueTask(before, settled, context);
      if (step.type === "done") return { outcome: step.outcome, isUnasked };
      if (step.type === "ask" && people) {
        link.keepSession();
        people.keep({ state: null, settled: step.settled, task: step.task });
        yield { requests: step.requests, held: false };
        return end(`${name} waits for an answer.`);
      }
      // One that waits here is looked at often, and has a time of its own.
      task = people ? step.task : { ...step.task, rounds: 0 };
    }
    if (people) {
      link.keepSession();
      people.keep({ state: null, settled: {}, task });
      yield { task };
      return end(`${name} waits for its task.`);
    }
    if (isSilentTooLong(task, Date.now())) return end(`The MCP server ${task.server} is silent.`);
    deadline.touch();
    await wait(task, deadline);
    if (deadline.signal.aborted) {
      void link.cancelTask(task.id);
      const ms = deadline.passedMs;
      const reason = `${name} works on a task that did not end within ${ms ?? 0} ms, which a call alone may take. Its outcome is unknown; in a reply of an agent a task may take a day.`;
      return { outcome: { ok: false, failure: { kind: "timeout", reason } }, isUnasked: false };
    }
  }

  function end(reason: string): TaskEnd {
    return { outcome: { ok: false, failure: { kind: "tool_error", reason } }, isUnasked };
  }
}

/** Until it is looked at again. To be silent meanwhile is no failure of the server. */
async function wait(task: KeptTask, deadline: CallDeadline): Promise<void> {
  const { signal } = deadline;
  for (;;) {
    const leftMs = task.poll_at - Date.now();
    if (leftMs <= 0 || signal.aborted) return;
    // Shorter than any timeout of a server.
    await pause(Math.min(leftMs, 500), signal);
    deadline.touch();
  }
}
