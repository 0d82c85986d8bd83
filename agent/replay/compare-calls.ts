// Compares the calls of a reply that was run again with those of the record. Pure.
import type { ReplayedCall } from "../../protocol/replay/contract.ts";
import type { ToolCallBlock, ToolResultBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { MAX_REPLAY_INPUT_CHARACTERS } from "../../protocol/diagnostics/limits.ts";
import type { RecordedCall } from "./recorded-calls.ts";
import { callKey, readText } from "./recording.ts";
import type { ReplayOutcome } from "./replay-reply.ts";

interface Made {
  readonly call: ToolCallBlock;
  /** The model's own input, before it was edited. */
  readonly input: string;
  readonly result: ToolResultBlock | null;
}

/**
 * In the order of the replay, then those that are gone. Each call is paired once: with the first recorded one of the
 * same tool and input, else with the first one of the same tool that is left.
 * @param message Of the replay. @param originals The model's own input of calls that were edited.
 */
export function compareCalls(
  recorded: readonly RecordedCall[],
  message: Msg,
  originals: ReadonlyMap<string, string>,
  outcome: ReplayOutcome,
): readonly ReplayedCall[] {
  const made = madeCalls(message, originals);
  const keys = recorded.map(({ name, input }) => keyOf(name, input));
  const left = new Map<string, number[]>();
  recorded.forEach((_, index) => queue(left, keys[index] ?? "", index));
  const pairs = new Map<Made, RecordedCall>();
  const paired = new Set<number>();
  for (const one of made) {
    const index = left.get(keyOf(one.call.name, one.input))?.shift();
    if (index === undefined) continue;
    paired.add(index);
    pair(pairs, one, recorded[index]);
  }
  const same = new Set(pairs.keys());
  const byName = new Map<string, number[]>();
  recorded.forEach(({ name }, index) => {
    if (!paired.has(index)) queue(byName, name, index);
  });
  for (const one of made) {
    if (same.has(one)) continue;
    const index = byName.get(one.call.name)?.shift();
    if (index === undefined) continue;
    paired.add(index);
    pair(pairs, one, recorded[index]);
  }
  return [
    ...made.map((one) => showMade(one, pairs.get(one) ?? null, same.has(one), outcome)),
    ...recorded.filter((_, index) => !paired.has(index)).map(showGone),
  ];
}

function madeCalls({ content }: Msg, originals: ReadonlyMap<string, string>): readonly Made[] {
  const results = new Map(
    content.flatMap((block) => (block.type === "tool_result" ? [[block.id, block] as const] : [])),
  );
  return content.flatMap((block): Made[] => {
    if (block.type !== "tool_call") return [];
    const input = originals.get(block.id) ?? block.input;
    return [{ call: block, input, result: results.get(block.id) ?? null }];
  });
}

/** Inputs that are no JSON are the same when their texts are. */
function keyOf(name: string, input: string): string {
  return callKey(name, readText(input)) ?? `${name}\n!${input}`;
}

function queue(lists: Map<string, number[]>, key: string, index: number): void {
  const known = lists.get(key);
  if (known) known.push(index);
  else lists.set(key, [index]);
}

function pair(pairs: Map<Made, RecordedCall>, made: Made, recorded?: RecordedCall): void {
  if (recorded) pairs.set(made, recorded);
}

function showMade(
  { call, input, result }: Made,
  recorded: RecordedCall | null,
  isSame: boolean,
  { sources, allowed, questions }: ReplayOutcome,
): ReplayedCall {
  const question = questions.get(call.id) ?? null;
  const isAnswered = result !== null && result.state !== "interrupted";
  const answered = isAnswered ? (sources.get(call.id) ?? answeredBy(question)) : "not_answered";
  return {
    change: recorded === null ? "new" : isSame ? "same" : "changed",
    tool_name: call.name,
    tool_call_id: call.id,
    recorded_tool_call_id: recorded?.id ?? null,
    input: cutRecorded(input),
    recorded_input: recorded && cutRecorded(recorded.input),
    answered,
    state: isAnswered ? result.state : null,
    recorded_state: recorded?.result?.state ?? null,
    approval: approvalOf(
      question !== null,
      recorded?.was_asked === true,
      isAnswered || allowed.has(call.id),
    ),
    approved_by: question?.answered_by ?? null,
  };
}

function answeredBy(question: { answered_by: string | null; confirmed: boolean | null } | null) {
  if (question?.confirmed !== false) return "platform";
  return question.answered_by === "recording" ? "recorded_denial" : "assumed_denial";
}

/** @param isDecided False for a call that the replay has ended before: whether it would have asked is not known. */
function approvalOf(
  isAsked: boolean,
  wasAsked: boolean,
  isDecided: boolean,
): ReplayedCall["approval"] {
  if (isAsked) return wasAsked ? "still_asked" : "newly_asked";
  return wasAsked && isDecided ? "skipped" : null;
}

function showGone({ id, name, input, was_asked, result }: RecordedCall): ReplayedCall {
  return {
    change: "gone",
    tool_name: name,
    tool_call_id: null,
    recorded_tool_call_id: id,
    input: null,
    recorded_input: cutRecorded(input),
    answered: null,
    state: null,
    recorded_state: result?.state ?? null,
    approval: was_asked ? "gone" : null,
    approved_by: null,
  };
}

/** Not in the middle of a surrogate pair. */
export function cutRecorded(text: string, limit = MAX_REPLAY_INPUT_CHARACTERS): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return `${text.slice(0, last >= 0xd800 && last < 0xdc00 ? limit - 1 : limit)}…`;
}
