// A replay's answer: its part about each reply, and the sums of all. Pure.
import type { ReplayedCall, ReplayedReply, ReplaySummary } from "../../protocol/replay/contract.ts";
import { addUsage } from "../../protocol/fold/add-usage.ts";
import {
  MAX_REPLAY_CALLS_SHOWN,
  MAX_REPLAY_TEXT_CHARACTERS,
} from "../../protocol/diagnostics/limits.ts";
import type { Msg, Usage } from "../../protocol/messages/messages.ts";
import { isSameJson } from "../json/is-same-json.ts";
import { compareCalls, cutRecorded } from "./compare-calls.ts";
import type { RecordedCall } from "./recorded-calls.ts";
import type { ReplayLog } from "./replay-log.ts";
import type { ReplayOutcome } from "./replay-reply.ts";

export interface RecordedReply {
  /** The reply's own message. */
  readonly message: Msg;
  readonly calls: readonly RecordedCall[];
  readonly agent_version: number;
  readonly model_calls: number;
  /** US dollars; null when a part of it is not known. */
  readonly cost_usd: number | null;
}

interface RunAgain extends ReplayOutcome {
  readonly log: ReplayLog;
  readonly duration_ms: number;
  /** The replay was ended before the reply was. */
  readonly isStopped: boolean;
}

/** A reply of the answer, and all of its calls, of which the answer shows some. */
export interface ComparedReply {
  readonly reply: ReplayedReply;
  readonly calls: readonly ReplayedCall[];
}

export function compareReply(recorded: RecordedReply, again: RunAgain): ComparedReply {
  const { log, duration_ms, isStopped } = again;
  const { message, original_inputs } = log.state;
  const before = recorded.message;
  const calls = compareCalls(recorded.calls, message, original_inputs, again);
  const status = isStopped ? "stopped" : (message.finished_reason ?? "stopped");
  const isSameAnswer =
    textOf(before) === textOf(message) &&
    isSameJson(before.structured_output, message.structured_output);
  return {
    calls,
    reply: {
      reply_id: before.id,
      recorded: showRecorded(recorded),
      replayed: {
        status,
        duration_ms,
        ...showAnswer(message),
        model_calls: log.modelCalls,
        cost_usd: log.costUsd,
      },
      answer_changed: !isSameAnswer,
      calls: calls.slice(0, MAX_REPLAY_CALLS_SHOWN),
      calls_omitted: Math.max(calls.length - MAX_REPLAY_CALLS_SHOWN, 0),
    },
  };
}

export function summarizeReplay(compared: readonly ComparedReply[]): ReplaySummary {
  const replies = compared.map(({ reply }) => reply);
  const calls = compared.flatMap((one) => one.calls);
  const changes = (change: ReplayedCall["change"]) =>
    calls.filter((call) => call.change === change).length;
  const approvals = (approval: ReplayedCall["approval"]) =>
    calls.filter((call) => call.approval === approval).length;
  return {
    replies: replies.length,
    answers_changed: replies.filter(({ answer_changed }) => answer_changed).length,
    calls: {
      same: changes("same"),
      changed: changes("changed"),
      new: changes("new"),
      gone: changes("gone"),
    },
    approvals: {
      still_asked: approvals("still_asked"),
      newly_asked: approvals("newly_asked"),
      skipped: approvals("skipped"),
      gone: approvals("gone"),
    },
    recorded: sum(replies.map(({ recorded }) => recorded)),
    replayed: sum(replies.map(({ replayed }) => replayed)),
  };
}

function showRecorded({
  message,
  agent_version,
  model_calls,
  cost_usd,
}: RecordedReply): ReplayedReply["recorded"] {
  return {
    status: message.finished_reason ?? "interrupted",
    agent_version,
    created_at: message.created_at,
    ...showAnswer(message),
    model_calls,
    cost_usd,
  };
}

function showAnswer(message: Msg) {
  const text = textOf(message);
  const { structured_output, usage, error } = message;
  return {
    text: cutRecorded(text, MAX_REPLAY_TEXT_CHARACTERS),
    text_truncated: text.length > MAX_REPLAY_TEXT_CHARACTERS,
    structured_output,
    usage,
    error,
  };
}

/** The blocks of text that a reader is shown, whatever calls are between them. */
function textOf({ content }: Msg): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

interface Summed {
  readonly model_calls: number;
  readonly usage: Usage | null;
  readonly cost_usd: number | null;
}

const NOTHING: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

function sum(parts: readonly Summed[]): ReplaySummary["recorded"] {
  return {
    model_calls: parts.reduce((total, { model_calls }) => total + model_calls, 0),
    usage: parts.reduce((total, { usage }) => (usage ? addUsage(total, usage) : total), NOTHING),
    cost_usd: parts.reduce<number | null>(
      (total, { cost_usd }) => (total === null || cost_usd === null ? null : total + cost_usd),
      0,
    ),
  };
}
