// Shared parts of the tests of AG-UI's runs: inputs of a client, the runs that they begin, and their trace in a log.
import type {
  RunStart,
  SessionInit,
  StartedRun,
} from "../../../durable-objects/api/session-api.ts";
import type { InputMessage, Reply } from "../../../protocol/replies/contract.ts";
import type { AgUiFrame } from "../../../protocol/dialects/ag-ui/wire/events.ts";
import { interruptId } from "../../../protocol/dialects/ag-ui/runs/interrupt-id.ts";
import type {
  ClientTool,
  ResumeEntry,
  RunInput,
} from "../../../protocol/dialects/ag-ui/input/run-input.ts";
import { AgUiTranslator } from "../../../protocol/dialects/ag-ui/ag-ui-translator.ts";
import type { Result } from "../../../protocol/errors.ts";
import { KEY, rowsOf } from "../confirmations/parked.ts";
import { allEvents, readReply, stubOf, valueOf } from "../sessions/session.ts";

export function said(id: string, text: string): InputMessage {
  return { id, role: "user", name: "user", content: text, metadata: {} };
}

export const PRINT: ClientTool = {
  name: "print",
  description: "Prints on the page.",
  input_schema: { type: "object" },
};

export function answerTo(
  replyId: string,
  callId: string,
  payload: unknown,
  more: Partial<ResumeEntry> = {},
): ResumeEntry {
  const interrupt_id = interruptId(replyId, callId);
  return { interrupt_id, status: "resolved", payload, pointer: "#/resume/0", ...more };
}

export function resultOf(tool_call_id: string, output: string): RunInput["results"][number] {
  return { message_id: `tool_${tool_call_id}`, tool_call_id, output, state: "success" };
}

export function inputOf(parts: Partial<RunInput>): RunInput {
  const messages = parts.messages ?? [];
  return {
    messages,
    results: [],
    message_ids: messages.map(({ id }) => id ?? ""),
    resume: [],
    tools: [],
    context: [],
    state: null,
    ...parts,
  };
}

/** These runs belong to no trace. */
type Untraced = Omit<RunStart, "trace">;

export function startRun(
  init: SessionInit,
  run_id: string,
  parts: Partial<RunInput>,
  more: Partial<Untraced> = {},
): Promise<Result<StartedRun>> {
  const rights = { may_confirm: true, may_give_results: true };
  const start: Untraced = {
    agent_id: init.agent_id,
    mark: { run_id },
    input: inputOf(parts),
    rights,
    is_listed: true,
    ...more,
  };
  return stubOf(init).act("startRun", start, { actor: KEY });
}

/** Begins the run, and waits until its reply ends or waits. */
export async function run(
  init: SessionInit,
  runId: string,
  parts: Partial<RunInput>,
  more: Partial<Untraced> = {},
): Promise<StartedRun & { reply: Reply }> {
  const started = valueOf(await startRun(init, runId, parts, more));
  return { ...started, reply: await readReply(init, started.reply_id, 60_000) };
}

export function codeOf(result: Result<unknown>): string | null {
  return result.ok ? null : result.refusal.code;
}

/** Every run of the log as a client of AG-UI sees it: its id, and how it ended. */
export async function shownRuns(
  init: SessionInit,
): Promise<readonly (readonly [string, string])[]> {
  const runs: [string, string][] = [];
  for (const { event } of await framesOf(init)) {
    if (event.type === "RUN_STARTED") runs.push([event.runId, "open"]);
    const last = runs.at(-1);
    if (last && event.type === "RUN_FINISHED") last[1] = event.outcome?.type ?? "none";
    if (last && event.type === "RUN_ERROR") last[1] = "error";
  }
  return runs;
}

async function framesOf(init: SessionInit): Promise<readonly AgUiFrame[]> {
  const translator = new AgUiTranslator({ stateAt: () => ({}), activities: [] });
  const events = await allEvents(init);
  return [...events.flatMap((event) => translator.push(event)), ...translator.flush()];
}

export function runRows(init: SessionInit): Promise<Record<string, unknown>[]> {
  return rowsOf(init, "SELECT * FROM runs ORDER BY from_seq, run_id");
}
