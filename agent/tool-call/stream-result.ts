// Translates a tool's chunks to the events of its call's result. A failure of the tool is a result that the model sees.
import type { ToolCallBlock, ToolResultBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { withoutClientMessageId } from "../../protocol/dialects/ag-ui/wire/result-message.ts";
import { INPUT_SENT } from "../../protocol/mcp/events.ts";
import { MAX_REPLY_BLOCKS } from "../../protocol/replies/limits.ts";
import { MAX_TOLD_EVENTS_OF_CALL } from "../../protocol/told/limits.ts";
import { untrustedHint } from "../../protocol/told/told-hint.ts";
import type { AnsweredEvent } from "../../protocol/told/answered-events.ts";
import { toldDraft } from "../../protocol/told/told-event.ts";
import { TOOL_PROGRESS, type ToolProgress } from "../../protocol/tools/events.ts";
import { heldCallIds, isReadyToSend } from "../state/input-record.ts";
import { withProgress } from "../state/progress-record.ts";
import type { MediaStore } from "../media-store.ts";
import { isLogSpent, roomForAnswers, roomForResults } from "../state/budget.ts";
import type {
  Asking,
  Diagnostics,
  EventLog,
  StopSignal,
  ToolCallRequest,
  ToolChunk,
  ToolRunner,
} from "../ports.ts";
import { awaitAuthorization } from "../sign-in/await-authorization.ts";
import { withUntrusted } from "../state/reply-state.ts";
import { resultMetadata } from "../state/result-metadata.ts";
import { splitBase64, splitText } from "../json/split-text.ts";
import { askForInput } from "./ask-for-input.ts";
import { awaitSubagent } from "./await-subagent.ts";
import { awaitTask } from "./await-task.ts";
import { keepMedia, type OutputChunk } from "./keep-media.ts";
import { letGoEvents } from "./let-go.ts";
import { parkHeld } from "./park-held.ts";
import { requestStop } from "./request-stop.ts";

export interface ResultTarget {
  readonly log: EventLog;
  readonly runner: ToolRunner;
  readonly session_id: string;
  readonly end_user_id: string | null;
  readonly stop: StopSignal;
  readonly asking: Asking;
  readonly diagnostics?: Diagnostics;
  /** Without it, media of any size stays in the log. */
  readonly mediaStore?: MediaStore;
}

const NO_ROOM = "The rest of this result was left out: the reply has no room for more.";

function chunkCharacters(chunk: OutputChunk): number {
  switch (chunk.type) {
    case "text":
      return chunk.delta.length;
    case "data":
      return chunk.data.length;
    case "url":
      return chunk.url.length;
    default:
      return chunk satisfies never;
  }
}

function outputOf(content: Msg["content"], id: string): ToolResultBlock["output"] {
  const result = content.find((block) => block.type === "tool_result" && block.id === id);
  return result?.type === "tool_result" ? result.output : [];
}

/** The answer or task that a call continues with, once that it continues is on disk: its request is sent at most once. */
async function beginAgain(
  { id }: ToolCallBlock,
  { log }: ResultTarget,
): Promise<Pick<ToolCallRequest, "answered" | "hasTask">> {
  const asked = log.state.inputs.get(id);
  const task = log.state.tasks.has(id) && { hasTask: true };
  // A server ignores an answer that it has: with a task they may be sent again after a crash.
  const isUsable = task ? true : isReadyToSend(log.state.inputs, id);
  if (!asked?.responses || !isUsable) return { ...task };
  if (!asked.is_sent) {
    const reply_id = log.state.message.id;
    const value = { reply_id, tool_call_id: id };
    log.append([{ type: "CUSTOM", name: INPUT_SENT, reply_id, value }]);
    await log.settled();
  }
  return { answered: { round: asked.elicitation.round, responses: asked.responses }, ...task };
}

/**
 * Runs the tool and writes its output, up to the result's END, or to what it asks a person for; after `stop` it writes
 * nothing more.
 * Contract: rejects only when the log refuses the runner.
 */
export async function streamResult(
  call: ToolCallBlock,
  input: unknown,
  context: ResultTarget,
): Promise<void> {
  const { log, stop, session_id, end_user_id, diagnostics, mediaStore } = context;
  const target = { reply_id: log.state.message.id, tool_call_id: call.id };
  const answered = await beginAgain(call, context);
  if (stop.aborted) return;
  const written = outputOf(log.state.message.content, call.id);
  const about = { name: call.name, input, session_id, end_user_id };
  const request = { ...target, ...about, ...answered, ...(written.length > 0 && { written }) };
  const { id: tool_call_id } = call;
  diagnostics?.note({ type: "tool_try", tool_call_id });
  const chunks = context.runner
    .run(request, stop, (found) => {
      if ("failure" in found) {
        diagnostics?.note({ type: "tool_failed", tool_call_id, failure: found.failure });
      } else {
        diagnostics?.note({ type: "tool_status", tool_call_id, http_status: found.http_status });
      }
    })
    [Symbol.asyncIterator]();
  let end: Extract<ToolChunk, { type: "end" }> = { type: "end", state: "success" };
  let blocks = 0;
  let isAfterText = false;
  let told = 0;
  for (;;) {
    const given = await nextChunk(chunks);
    if (stop.aborted) return;
    if (given === null) break;
    if (given.type === "end") {
      end = given;
      break;
    }
    if (given.type === "progress") {
      noteProgress(given);
      continue;
    }
    if (given.type === "told") {
      noteTold(given.events);
      continue;
    }
    if (given.type === "ask") {
      askForInput(call, given, context);
      if (!given.elicitation.held) return log.settled();
      parkHeld(log);
      continue;
    }
    if (given.type === "authorization_required") {
      log.append([awaitAuthorization(log.state, call, given.authorization)]);
      await log.settled();
      return;
    }
    if (given.type === "task") {
      log.append(awaitTask(log.state, call, given.task));
      return log.settled();
    }
    if (given.type === "background") {
      log.append(letGoEvents(log.state, call, given));
      // Its work is the task's from here on.
      await nextChunk(chunks);
      return;
    }
    if (given.type === "subagent") {
      log.append(awaitSubagent(target.reply_id, tool_call_id, given));
      return log.settled();
    }
    // Awaited for media alone: most chunks are text.
    const next: OutputChunk =
      given.type === "text" ? given : await keepMedia(given, mediaStore, isAfterText);
    if (stop.aborted) return;
    if (chunkCharacters(next) > roomForResults(log.state)) {
      writeChunk({ type: "text", delta: NO_ROOM }, "");
      end = { type: "end", state: "error" };
      diagnostics?.note({ type: "tool_failed", tool_call_id, failure: { kind: "too_large" } });
      await chunks.return?.();
      break;
    }
    isAfterText = next.type === "text";
    blocks += 1;
    writeChunk(next, `${call.id}_data_${blocks}`);
  }
  if (end.isWithoutResult) {
    const said = withProgress(log.state, call.id, "");
    if (said.length < roomForResults(log.state)) writeChunk({ type: "text", delta: said }, "");
  }
  const given = end.metadata && withoutClientMessageId(end.metadata);
  const state = withUntrusted(log.state, call.id, end.untrusted ?? null);
  const metadata = resultMetadata(state, call.id, given, end.stops);
  log.append([
    { type: "TOOL_RESULT_END", ...target, state: end.state, metadata },
    ...(end.stops ? requestStop(state, call) : []),
  ]);

  /** Not while a person is asked on an open connection: the reply waits then, and no event says that it continues. */
  function noteProgress({ message, progress, total }: ToolProgress): void {
    if (isLogSpent(log.state) || heldCallIds(log.state).length > 0) return;
    const value = { ...target, message, progress, total };
    log.append([{ type: "CUSTOM", name: TOOL_PROGRESS, reply_id: target.reply_id, value }]);
  }

  /** Events for which the reply or the call has no more room are left out; not while a person is asked, as progress. */
  function noteTold(events: readonly AnsweredEvent[]): void {
    for (const event of events) {
      const room = roomForAnswers(log.state);
      const isTooMany = told >= MAX_TOLD_EVENTS_OF_CALL || JSON.stringify(event).length > room;
      if (isTooMany || heldCallIds(log.state).length > 0) return;
      told += 1;
      const by = { kind: "tool", name: call.name } as const;
      if (event.type !== "HINT_BLOCK") log.append([toldDraft(event, by, target.reply_id)]);
      else {
        const { content } = log.state.message;
        // The same id after a crash: an idempotent tool that runs again gives the same hint once.
        const block_id = `${call.id}_hint_${told}`;
        const isGiven = content.some(({ type, id }) => type === "hint" && id === block_id);
        if (isGiven || content.length >= MAX_REPLY_BLOCKS) continue;
        log.append([untrustedHint(event, by, { ...target, block_id })]);
      }
    }
  }

  function writeChunk(chunk: OutputChunk, freshBlockId: string): void {
    if (chunk.type === "text") {
      for (const delta of splitText(chunk.delta)) {
        if (delta) log.appendDelta({ type: "TOOL_RESULT_TEXT_DELTA", ...target, delta });
      }
      return;
    }
    const block = {
      type: "TOOL_RESULT_DATA_DELTA",
      ...target,
      block_id: chunk.block_id ?? freshBlockId,
      media_type: chunk.media_type,
    } as const;
    if (chunk.type === "url") {
      log.appendDelta({ ...block, data: null, url: chunk.url });
      return;
    }
    for (const data of splitBase64(chunk.data)) log.appendDelta({ ...block, data, url: null });
  }

  /** An exception of the tool becomes the call's result; one of the log is not caught here. */
  async function nextChunk(iterator: AsyncIterator<ToolChunk>): Promise<ToolChunk | null> {
    try {
      const { done, value } = await iterator.next();
      return done ? null : value;
    } catch (error) {
      const text = error instanceof Error ? error.message : "The tool failed.";
      if (!stop.aborted)
        log.appendDelta({ type: "TOOL_RESULT_TEXT_DELTA", ...target, delta: text });
      return { type: "end", state: "error" };
    }
  }
}
