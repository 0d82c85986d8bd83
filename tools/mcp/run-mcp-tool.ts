// Runs one call of an MCP tool: progress and result as chunks.
import { shownTask, keepTask, type KeptTask } from "../../agent/mcp/kept-task.ts";
import { withDoubles } from "../../agent/exact-number.ts";
import { readMcpResult, type McpResult } from "../../agent/mcp/read-result.ts";
import type { InputRequest } from "../../protocol/mcp/elicitation.ts";
import type { InputResponses } from "../../protocol/mcp/events.ts";
import type { ToolProgress } from "../../protocol/tools/events.ts";
import type { StopSignal, ToolCallRequest, ToolChunk } from "../../agent/ports.ts";
import type { ToolReporter } from "../../agent/failure-report.ts";
import { readCreatedTask } from "../../agent/mcp/read-task.ts";
import type { McpCatalogueTool } from "../../protocol/mcp/contract.ts";
import type { McpToolUi } from "../../protocol/mcp/mcp-ui.ts";
import { MAX_MCP_CALL_MS, MAX_MCP_TASK_MS, MAX_INPUT_ROUNDS } from "../../protocol/mcp/limits.ts";
import { MAX_TOOL_METADATA_BYTES } from "../../protocol/tools/limits.ts";
import { findParamHeaders, paramHeaders } from "../../protocol/mcp/param-headers.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import { answerChunks, failureWithoutResult } from "../answer-shape.ts";
import { CallDeadline } from "./call-deadline.ts";
import { followTask } from "./follow-task.ts";
import { HELD_KEY } from "./held-asks.ts";
import { readInputRequired } from "./input-required.ts";
import { ProgressPace } from "./progress-pace.ts";
import type { McpLink } from "./mcp-link.ts";
import type { McpFailure, McpResultOf } from "./mcp-outcome.ts";
import type { KeptRequest, McpPeople } from "./mcp-people.ts";
import { URL_REQUIRED } from "./url-required.ts";
import { withoutSecrets } from "./without-secrets.ts";

type Fields = Readonly<Record<string, unknown>>;

interface McpToolCall {
  readonly link: McpLink;
  readonly server_id: string;
  /** As the catalogue has it; `name` alone counts for a tool that is not in one. */
  readonly tool: Pick<McpCatalogueTool, "name"> & Partial<McpCatalogueTool>;
  readonly input: unknown;
  /** As the agent takes the tool to be: only then a call that nobody answered is made once more. */
  readonly isIdempotent?: boolean;
  readonly timeoutMs: number;
  readonly stop: StopSignal;
  /** Null where nobody can be asked. */
  readonly people: McpPeople | null;
  /** Answers to what the call asked for. */
  readonly answered?: ToolCallRequest["answered"];
  /** The call continues with the task that it was given. */
  readonly hasTask?: boolean;
  /** Asked when the server has taken nothing and wants a sign-in: the last chunks of a call that waits for it, else null. */
  readonly signIn?: () => Promise<readonly ToolChunk[] | null>;
}

export type McpToolAnswer =
  | { readonly ok: true; readonly result: McpResult }
  | { readonly ok: false; readonly failure: McpFailure };

/** Contract: never throws. After `stop` it ends without a chunk for it. */
export async function* runMcpTool(
  call: McpToolCall & { readonly server: string; readonly report?: ToolReporter },
): AsyncGenerator<ToolChunk, void> {
  const { server_id, server, tool, stop, report, people } = call;
  const running = callMcpTool(call);
  const ttl_ms = people?.ttlMs ?? 0;
  const progress = new ProgressPace(() => Date.now());
  let round = call.answered?.round ?? 0;
  for (;;) {
    const { value } = await running.next();
    if (stop.aborted) return;
    if ("task" in value) {
      yield { type: "task", task: shownTask(value.task) };
      return;
    }
    if ("held" in value) {
      round += 1;
      const elicitation = { server, requests: value.requests, round, held: value.held };
      yield { type: "ask", elicitation, ttl_ms };
      if (!value.held) return;
      continue;
    }
    if ("progress" in value) {
      const due = progress.take(value.progress);
      if (due) yield { type: "progress", ...due };
      continue;
    }
    if (!value.ok) {
      const last = progress.takeLast();
      if (last) yield { type: "progress", ...last };
      const waiting = value.failure.needs_sign_in ? await call.signIn?.() : null;
      if (stop.aborted) return;
      if (waiting) {
        yield* waiting;
        return;
      }
      const { kind, http_status, message, reason } = value.failure;
      report?.({ failure: { kind, http_status, message } });
      yield* failureWithoutResult(message === undefined ? reason : `${reason} It says: ${message}`);
      return;
    }
    const { result } = value;
    const origin = { server_id, tool: tool.name, ...(tool.ui?.resource_uri && { ui: tool.ui }) };
    const mcp = resultMetadata(origin, result);
    yield* answerChunks({ output: result.content, state: result.state, metadata: { mcp } });
    return;
  }
}

interface McpProgress {
  readonly progress: ToolProgress;
}

/** The call is over for now: it continues when the task is due. */
interface McpParked {
  readonly task: KeptTask;
}

/** The server's question to a person; unless it is held, the call is over, and is made again with the answer. */
export interface McpQuestion {
  readonly requests: Readonly<Record<string, InputRequest>>;
  readonly held: boolean;
}

/**
 * The same without chunks. Yields progress, questions, and a task that the call waits for; where nobody can be
 * asked, tasks are waited for here. Contract: never throws.
 */
export async function* callMcpTool(
  call: McpToolCall,
): AsyncGenerator<McpProgress | McpQuestion | McpParked, McpToolAnswer> {
  const { link, server_id, tool, input, isIdempotent, timeoutMs, stop, people, answered } = call;
  const totalMs = Math.max(timeoutMs, MAX_MCP_CALL_MS);
  const deadline = new CallDeadline({ idleMs: timeoutMs, totalMs }, stop);
  try {
    if (call.hasTask) return yield* continueWith(people?.kept()?.task ?? null);
    const declared = findParamHeaders(tool.input_schema ?? {});
    const headers = declared.ok ? paramHeaders(declared.headers, input) : {};
    const { name } = tool;
    // Only where it has to be: a server of the modern era decides by itself.
    const isAsked = tool.task_support === "required";
    const taskTtlMs = isAsked ? (people ? MAX_MCP_TASK_MS : totalMs) : undefined;
    let isUnasked = false;
    const noteUnasked = (): void => {
      isUnasked = true;
    };
    let asked = answered?.round ?? 0;
    const before = answered ? (people?.kept() ?? null) : null;
    if (before?.isPlain && answered && !areAccepted(answered.responses)) {
      return fail(`${name} ${UNOPENED}.`);
    }
    let params = answered && secondParams(before, answered.responses);
    for (let isFirst = true; ; isFirst = false) {
      const about = { name, input, headers, params, isIdempotent };
      const sent = { ...about, people, noteUnasked, taskTtlMs };
      const running = link.call(sent, deadline);
      let result: McpResultOf<Fields> | null = null;
      while (!result) {
        const { done, value } = await running.next();
        if (done) result = value;
        else if ("progress" in value) yield value;
        else {
          asked += 1;
          if (asked > MAX_INPUT_ROUNDS) return fail(`${name} ${IN_A_LOOP}.`);
          yield { requests: { [HELD_KEY]: value.ask }, held: true };
        }
      }
      if (isUnasked) return needsPerson(name);
      if (!result.ok) return isFirst ? result : { ok: false, failure: taken(result.failure) };
      const { line } = link;
      const era = line?.dialect.era ?? "legacy";
      const created = readCreatedTask(result.value, { era, isAsked });
      if (created === "unreadable") return fail(`${name} gave a task that cannot be asked for.`);
      if (created) {
        const origin = { server_id, server: link.name, session_id: line?.sessionId ?? null };
        return yield* continueWith(keepTask(created, origin, Date.now()), true);
      }
      const kind = result.value["resultType"];
      const isPlain = kind === URL_REQUIRED;
      if (kind !== "input_required" && !isPlain)
        return readAnswer(result.value, tool, link.secrets);
      asked += 1;
      if (asked > MAX_INPUT_ROUNDS) return fail(`${name} ${IN_A_LOOP}.`);
      const required = readInputRequired(result.value);
      if (!required.ok) return fail(`${name} ${required.problem}.`);
      const { kept, requests } = required;
      const keys = Object.keys(requests);
      if (keys.length > 0 && people) {
        people.keep(isPlain ? { ...kept, isPlain } : kept);
        yield { requests, held: false };
        return fail(`${name} waits for an answer.`);
      }
      if (isPlain) return needsPerson(name);
      if (keys.length > 0) noteUnasked();
      const cancelled = keys.map((key) => [key, { action: "cancel" }] as const);
      params = secondParams(kept, Object.fromEntries(cancelled));
      deadline.touch();
    }
  } finally {
    // Before the caller reads the answer: nothing of the call stays open.
    deadline.release();
  }

  async function* continueWith(task: KeptTask | null, isNew = false) {
    // Only where its row was lost.
    if (!task) return fail(`What was known of the task of ${tool.name} is lost.`);
    const followed = yield* followTask(task, { link, tool, deadline, people, answered, isNew });
    if (followed.isUnasked) return needsPerson(tool.name);
    const { outcome } = followed;
    if (outcome.ok) return readAnswer(outcome.value, tool, link.secrets);
    // Behind a sign-in a reply asks for its task again; one tool alone would be called again.
    return people ? outcome : ({ ok: false, failure: taken(outcome.failure) } as const);
  }
}

/** @param secrets Those that the server was sent, which it may repeat. */
function readAnswer(
  result: Readonly<Record<string, unknown>>,
  tool: McpToolCall["tool"],
  secrets: readonly string[],
): McpToolAnswer {
  const kind = result["resultType"];
  const isComplete = kind === undefined || kind === "complete";
  const read = isComplete ? readMcpResult(result, tool.output_schema) : null;
  if (read) return { ok: true, result: withoutSecrets(read, secrets) };
  const reason = `${tool.name} gave a result that cannot be read.`;
  return { ok: false, failure: { kind: "malformed_answer", reason } };
}

/** The server has answered an earlier request of this call: behind a sign-in it would get that once more. */
function taken({ needs_sign_in: _, ...failure }: McpFailure): McpFailure {
  return failure;
}

function areAccepted(responses: InputResponses): boolean {
  return Object.values(responses).every(({ action }) => action === "accept");
}

const UNOPENED = "was not called: the user has not opened the page that it needs first";
const IN_A_LOOP = "asks in a loop, in place of a result";

function fail(reason: string): McpToolAnswer {
  return { ok: false, failure: { kind: "tool_error", reason } };
}

/** The parameters with which a call is sent again. */
function secondParams(kept: KeptRequest | null, responses: InputResponses): Fields {
  if (kept?.isPlain) return {};
  const inputResponses = { ...kept?.settled, ...responses };
  const isEmpty = Object.keys(inputResponses).length === 0;
  const state = kept?.state ?? null;
  return {
    ...(!isEmpty && { inputResponses }),
    ...(state !== null && { requestState: state }),
  };
}

/** Whatever the tool has said to that: its question is what counts. */
function needsPerson(name: string): McpToolAnswer {
  const text = `${name} needs an answer of a person, who cannot be asked here: its question was answered \`cancel\`. In a reply of an agent the question waits for its answer.`;
  return { ok: true, result: { state: "error", content: [{ type: "text", text }] } };
}

/**
 * For programs that read the result's block, whose numbers are doubles in each copy of it. What is too large for metadata
 * is left out by itself.
 */
function resultMetadata(
  origin: { readonly server_id: string; readonly tool: string; readonly ui?: McpToolUi },
  { structured, misfit, meta }: McpResult,
): Record<string, unknown> {
  let room = MAX_TOOL_METADATA_BYTES - 1_000 - utf8Bytes(JSON.stringify(origin));
  const fit = (value: unknown): boolean => {
    const bytes = utf8Bytes(JSON.stringify(value) ?? "");
    if (bytes > room) return false;
    room -= bytes;
    return true;
  };
  return {
    ...origin,
    ...(structured !== undefined &&
      (fit(structured)
        ? { structured_content: withDoubles(structured) }
        : { structured_content_omitted: "too large" })),
    ...(misfit !== undefined && { structured_content_omitted: misfit }),
    ...(meta && fit(meta) && { meta }),
  };
}
