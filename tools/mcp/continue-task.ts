// Goes on with a call whose server gave a task in place of a result: to the result, to a question, or to the next wait.
// Nothing here does anything twice: a look and the fetching of a result change nothing, and an answer counts once.
import { isSilentTooLong, type KeptTask } from "../../agent/mcp/kept-task.ts";
import type { ToolCallRequest } from "../../agent/ports.ts";
import type { InputRequest } from "../../protocol/mcp/elicitation.ts";
import type { InputResponses } from "../../protocol/mcp/events.ts";
import { MAX_INPUT_ROUNDS, MAX_MCP_TASK_ROUNDS } from "../../protocol/mcp/limits.ts";
import { RELATED_TASK } from "../../protocol/mcp/tasks.ts";
import type { CallDeadline } from "./call-deadline.ts";
import { readInputRequired } from "./input-required.ts";
import { lookAtTask } from "./look-at-task.ts";
import type { McpLink } from "./mcp-link.ts";
import type { McpFailure, McpResultOf } from "./mcp-outcome.ts";
import { isJsonObject } from "../../protocol/json-object.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface TaskContext {
  readonly link: McpLink;
  /** Of the tool, for sentences about it. */
  readonly name: string;
  readonly deadline: CallDeadline;
  /** Whether a person can be asked. */
  readonly canAsk: boolean;
  readonly answered?: ToolCallRequest["answered"];
  /** The server has asked, and nobody could be. */
  readonly noteUnasked: () => void;
}

export type TaskStep =
  /** The task is looked at again when it is time. */
  | { readonly type: "wait"; readonly task: KeptTask }
  | {
      readonly type: "ask";
      readonly task: KeptTask;
      readonly requests: Readonly<Record<string, InputRequest>>;
      /** Answers that nobody is asked for. */
      readonly settled: InputResponses;
    }
  | { readonly type: "done"; readonly outcome: McpResultOf<Fields> };

/** @param settled Answers to questions of the task that nobody was asked for. Contract: never rejects. */
export async function continueTask(
  before: KeptTask,
  settled: InputResponses,
  context: TaskContext,
): Promise<TaskStep> {
  const { link, name, deadline } = context;
  const looked = await lookAtTask(link, before, deadline);
  const { task } = looked;
  if (looked.type === "failed") {
    const { failure, isFinal } = looked;
    if (!isFinal && !isSilentTooLong(task, Date.now()) && Date.now() < task.expires_at) {
      return { type: "wait", task };
    }
    return ended({ ...failure, reason: `${failure.reason} ${UNKNOWN}` });
  }
  switch (task.status) {
    case "completed":
    case "failed":
    case "cancelled":
      return { type: "done", outcome: await fetchResult(task, looked.answer, context) };
    case "input_required":
    case "working":
      break;
    default:
      task.status satisfies never;
  }
  if (Date.now() >= task.expires_at) {
    return giveUp(task, link, `The task of ${name} did not end in its time. ${UNKNOWN}`);
  }
  if (task.rounds > MAX_MCP_TASK_ROUNDS) {
    return giveUp(task, link, `The task of ${name} says this and that of its state. ${UNKNOWN}`);
  }
  return task.status === "working"
    ? { type: "wait", task }
    : answerTask(task, looked.answer, settled, context);
}

async function answerTask(
  task: KeptTask,
  { inputRequests }: Fields,
  settled: InputResponses,
  context: TaskContext,
): Promise<TaskStep> {
  const { link, name, answered, canAsk, noteUnasked, deadline } = context;
  if (link.line?.dialect.era === "legacy") {
    // The server asks while its result is waited for. Nobody can answer on a connection that is not held.
    const asked = { taskId: task.id };
    const result = await link.task("tasks/result", asked, deadline, noteUnasked);
    return result.ok ? { type: "done", outcome: result } : giveUp(task, link, UNASKED(name));
  }
  const outstanding = Object.entries(isJsonObject(inputRequests) ? inputRequests : {}).filter(
    ([key]) => !task.answered.includes(key),
  );
  const keys = outstanding.map(([key]) => key);
  if (keys.length === 0) return { type: "wait", task };
  if (answered && keys.every((key) => task.asked.includes(key))) {
    return send({ ...settled, ...answered.responses });
  }
  if ((answered?.round ?? 0) >= MAX_INPUT_ROUNDS) {
    return giveUp(task, link, `${name} asks in a loop, in place of a result. ${UNKNOWN}`);
  }
  const read = readInputRequired({ inputRequests: Object.fromEntries(outstanding) });
  if (!read.ok) return giveUp(task, link, `${name} ${read.problem}. ${UNKNOWN}`);
  const { requests, kept } = read;
  const open = Object.keys(requests);
  if (open.length > 0 && canAsk) {
    return { type: "ask", task: { ...task, asked: keys }, requests, settled: kept.settled };
  }
  if (open.length > 0) noteUnasked();
  const cancelled = open.map((key) => [key, { action: "cancel" }] as const);
  return send({ ...kept.settled, ...Object.fromEntries(cancelled) });

  async function send(responses: InputResponses): Promise<TaskStep> {
    const inputResponses = Object.fromEntries(
      Object.entries(responses).filter(([key]) => keys.includes(key)),
    );
    const sent = await link.task("tasks/update", { taskId: task.id, inputResponses }, deadline);
    // Without an acknowledgement the answers are sent again: a server ignores those that it has.
    const given = sent.ok ? { asked: [], answered: [...task.answered, ...keys] } : {};
    return { type: "wait", task: { ...task, ...given } };
  }
}

/** The result of a task that is over: inline, or in the older era by a request of its own. */
async function fetchResult(
  task: KeptTask,
  answer: Fields,
  { link, name, deadline }: TaskContext,
): Promise<McpResultOf<Fields>> {
  if (task.status === "cancelled") {
    return failed(`The task of ${name} was cancelled by its server. ${PARTLY}`, task.message);
  }
  if (link.line?.dialect.era === "legacy") {
    const result = await link.task("tasks/result", { taskId: task.id }, deadline);
    if (!result.ok) return result;
    const meta = isJsonObject(result.value["_meta"]) ? result.value["_meta"] : {};
    const related = meta[RELATED_TASK];
    const isOther = isJsonObject(related) && related["taskId"] !== task.id;
    if (!isOther) return result;
    const reason = `The MCP server ${task.server} gave the result of another task. ${UNKNOWN}`;
    return { ok: false, failure: { kind: "malformed_answer", reason } };
  }
  if (task.status === "completed") {
    const { result } = answer;
    return { ok: true, value: isJsonObject(result) ? result : {} };
  }
  const { error } = answer;
  if (isJsonObject(error) && typeof error["code"] === "number") {
    const { code, message, data } = error;
    const said = typeof message === "string" ? message : "";
    const described = link.describeError({ code, message: said, data });
    return { ok: false, failure: described };
  }
  return failed(`The task of ${name} has failed. ${PARTLY}`, task.message);
}

const UNKNOWN = "So its outcome is unknown: find out before you call it again.";
const PARTLY = "It may have done a part of its work.";
const UNASKED = (name: string): string =>
  `The task of ${name} needs an answer of a person, who cannot be asked for a task of this server's version of the protocol. ${UNKNOWN}`;

/** Does not wait: nobody needs the server's answer. */
function giveUp(task: KeptTask, link: McpLink, reason: string): TaskStep {
  void link.cancelTask(task.id);
  return ended({ kind: "tool_error", reason });
}

function ended(failure: McpFailure): TaskStep {
  return { type: "done", outcome: { ok: false, failure } };
}

function failed(reason: string, message: string | null): McpResultOf<Fields> {
  return { ok: false, failure: { kind: "tool_error", reason, ...(message && { message }) } };
}
