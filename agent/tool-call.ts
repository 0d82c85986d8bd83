// One tool call, from the decision to its last event. A failure of the tool is a result that the model sees.
import type { ToolCallBlock } from "../protocol/blocks.ts";
import type { PermissionContext } from "./permission/check-call.ts";
import { MAX_REPLY_CHARACTERS } from "../protocol/limits.ts";
import { prepareCall } from "./prepare-call.ts";
import type { EventLog, StopSignal, ToolChunk, ToolRunner } from "./ports.ts";
import { splitBase64, splitText } from "./split-text.ts";
import { structuredResult } from "./structured-output.ts";

export interface ToolCallContext {
  readonly log: EventLog;
  readonly runner: ToolRunner;
  readonly permission: PermissionContext;
  readonly session_id: string;
  readonly end_user_id: string | null;
  readonly stop: StopSignal;
}

/** Contract: rejects only when the log refuses the runner. */
export async function runToolCall(call: ToolCallBlock, context: ToolCallContext): Promise<void> {
  const { log, runner, permission } = context;
  const structured = structuredResult(call, log.state);
  if (structured) {
    log.append(structured);
    return;
  }
  const target = { reply_id: log.state.message.id, tool_call_id: call.id };
  const start = { type: "TOOL_RESULT_START", ...target, tool_call_name: call.name } as const;
  const prepared = prepareCall(call, runner.tools, permission);
  switch (prepared.type) {
    case "refuse":
      log.append([
        start,
        { type: "TOOL_RESULT_TEXT_DELTA", ...target, delta: prepared.text },
        { type: "TOOL_RESULT_END", ...target, state: prepared.state },
      ]);
      return;
    case "ask":
      log.append([
        {
          type: "REQUIRE_USER_CONFIRM",
          reply_id: target.reply_id,
          tool_calls: [{ ...call, state: "asking", suggested_rules: [...prepared.suggestedRules] }],
        },
      ]);
      return;
    case "run":
      log.append([start]);
      // The start is on disk before the request leaves: a call that nobody remembers may not happen.
      await log.settled();
      if (context.stop.aborted) return;
      await streamResult(call, prepared.input, context);
      return;
    default:
      prepared satisfies never;
  }
}

const NO_ROOM = "The rest of this result was left out: the reply has no room for more.";

function chunkCharacters(chunk: Exclude<ToolChunk, { type: "end" }>): number {
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

async function streamResult(
  call: ToolCallBlock,
  input: unknown,
  context: ToolCallContext,
): Promise<void> {
  const { log, stop, session_id, end_user_id } = context;
  const target = { reply_id: log.state.message.id, tool_call_id: call.id };
  const request = { ...target, name: call.name, input, session_id, end_user_id };
  const chunks = context.runner.run(request, stop)[Symbol.asyncIterator]();
  let end: Extract<ToolChunk, { type: "end" }> = { type: "end", state: "success" };
  let blocks = 0;
  for (;;) {
    const next = await nextChunk(chunks);
    if (stop.aborted) return;
    if (next === null) break;
    if (next.type === "end") {
      end = next;
      break;
    }
    if (log.state.characters + chunkCharacters(next) > MAX_REPLY_CHARACTERS) {
      writeChunk({ type: "text", delta: NO_ROOM }, "");
      end = { type: "end", state: "error" };
      await chunks.return?.();
      break;
    }
    blocks += 1;
    writeChunk(next, `${call.id}_data_${blocks}`);
  }
  log.append([
    { type: "TOOL_RESULT_END", ...target, state: end.state, metadata: end.metadata ?? {} },
  ]);

  function writeChunk(chunk: Exclude<ToolChunk, { type: "end" }>, freshBlockId: string): void {
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

  /** A throw of the tool is told to the model as its result; a throw of the log is not caught here. */
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
