// Checks one answer of a confirmation: the call waits for it, the input hash matches, an edit is valid, and no rule
// denies it.
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import { accept, type Result } from "../../protocol/errors.ts";
import type { ConfirmResult } from "../../protocol/events.ts";
import { findShapeViolation } from "../../protocol/json-shape.ts";
import { MAX_INPUT_DEPTH, MAX_INPUT_VALUES } from "../../protocol/requests/limits.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import type { AnswerContext, GivenAnswer } from "./answer-context.ts";
import { metadataOfCall, refuseAnswer } from "./answer-refusal.ts";
import { findMisfit } from "../json-schema/find-misfit.ts";
import { shorten } from "../json-schema/quote.ts";
import { parseInput, parseJson } from "../json/parse-input.ts";
import { findDenyRule } from "../permission/check-call.ts";
import { isPlain } from "../json/plain-input.ts";
import { isSameJson } from "../json/is-same-json.ts";
import { areSameRules, acceptRules } from "./accept-rules.ts";
import { findUneditableChange } from "./find-uneditable-change.ts";

const EDIT_LIMITS = { depth: MAX_INPUT_DEPTH, values: MAX_INPUT_VALUES };

export interface CheckedConfirmation {
  readonly call: ToolCallBlock;
  /** The same answer was accepted before, and the call is not finished: there is nothing to do. */
  readonly isRepeated: boolean;
  readonly isEdited: boolean;
  readonly answer: GivenAnswer;
  /** JSON pointer of the answer in the event. */
  readonly pointer: string;
}

/**
 * @param call The call that the result names; null for one that is unknown or not for this credential.
 * @param pointer JSON pointer of the result in the event.
 */
export function checkConfirmation(
  call: ToolCallBlock | null,
  result: ConfirmResult,
  metadata: Readonly<Record<string, unknown>>,
  context: AnswerContext,
  pointer: string,
): Result<CheckedConfirmation> {
  const { tool_call: given, confirmed } = result;
  const at = (place: string) => ({ pointer: `${pointer}${place}`, tool_call_id: given.id });
  const journal = call && context.journalOf(call.id);
  if (call && journal?.answer) {
    const same_answer = isSameAnswer(journal.answer, result) && given.name === call.name;
    if (same_answer && call.state !== "finished") {
      const { answer } = journal;
      return accept({ call, isRepeated: true, isEdited: false, answer, pointer });
    }
    const detail = same_answer
      ? "This answer was given before, and the call has its result."
      : "The call was answered before with another answer.";
    return refuseAnswer("confirmation_used", detail, { ...at(""), same_answer });
  }
  if (call?.state !== "asking") {
    const state = call?.state ?? null;
    const detail = state
      ? `The call is ${state}: it does not wait for an answer.`
      : "No such call waits.";
    return refuseAnswer("call_not_pending", detail, { ...at(""), state });
  }
  if (given.name !== call.name) {
    const detail = `The call is one of ${call.name}; an answer cannot make it one of another tool.`;
    return refuseAnswer("tool_name_changed", detail, at("/tool_call/name"));
  }
  const proof = metadataOfCall(metadata, "input_hashes", call.id);
  if (proof === undefined && context.rights.must_prove_input) {
    const detail =
      "With this credential, metadata.input_hashes (payload.inputHash in a run of AG-UI) must have the call's hash.";
    return refuseAnswer("input_hash_missing", detail, at(""));
  }
  if (proof !== undefined && proof !== journal?.inputHash) {
    const detail = "The hash is not that of the input that was asked about.";
    return refuseAnswer("input_hash_mismatch", detail, at(""));
  }
  const isEdited = confirmed && isEdit(call, given.input);
  if (isEdited && !context.rights.may_edit) {
    const detail =
      "This credential may allow the call, but not edit its input: it lacks the verb edit.";
    return refuseAnswer("verb_missing", detail, {
      ...at("/tool_call/input"),
      required_verb: "edit",
    });
  }
  const input = isEdited ? given.input : call.input;
  const problem = isEdited ? findEditProblem(call, input, context) : null;
  if (problem) return refuseAnswer("edited_input_invalid", problem, at("/tool_call/input"));
  const rule = confirmed
    ? findDenyRuleOfCall(call.name, input, context.permission.rules, context)
    : null;
  if (rule) return refuseAnswer("denied_by_rule", "A rule denies this call.", { ...at(""), rule });
  const rules = acceptRules(call, result.rules ?? [], context.rights, `${pointer}/rules`);
  if (!rules.ok) return rules;
  const answer = { confirmed, input, rules: rules.value, reason: reasonOf(result) };
  return accept({ call, isRepeated: false, isEdited, answer, pointer });
}

/** The first of `rules` that denies a call of the tool with this input; null also for an unknown tool. */
export function findDenyRuleOfCall(
  name: string,
  input: string,
  rules: readonly PermissionRule[],
  { permission, tools }: Pick<AnswerContext, "permission" | "tools">,
): PermissionRule | null {
  const tool = tools.find((candidate) => candidate.name === name);
  const parsed = parseInput(input);
  return tool && parsed.ok ? findDenyRule({ ...permission, rules }, tool, parsed.input) : null;
}

/**
 * The input of a denial is not compared, since nothing runs. An answer without a reason repeats one that had a reason:
 * it contradicts nothing.
 */
function isSameAnswer(before: GivenAnswer, result: ConfirmResult): boolean {
  const { confirmed, tool_call, rules } = result;
  const reason = reasonOf(result);
  return (
    before.confirmed === confirmed &&
    (!confirmed || isSameText(before.input, tool_call.input)) &&
    areSameRules(before.rules, rules ?? []) &&
    (reason === null || before.reason === undefined || before.reason === reason)
  );
}

/** Null when nothing but white space was given. */
function reasonOf({ reason }: ConfirmResult): string | null {
  return reason?.trim() || null;
}

/** @param second The edited input as a client sent it: a JSON string inside the body, whose size and depth are unchecked. */
function isSameText(first: string, second: string): boolean {
  if (first === second) return true;
  if (findShapeViolation(second, EDIT_LIMITS) !== null) return false;
  const [one, other] = [parseInput(first), parseJson(second)];
  return one.ok && other.ok && isSameJson(one.input, other.input);
}

/** An input is edited when its JSON value differs: clients may format it differently. */
function isEdit(call: ToolCallBlock, input: string): boolean {
  return !isSameText(call.input, input);
}

/** The problem of an edited input, or null. Its JSON is not repaired. */
function findEditProblem(
  { name, input: asked }: ToolCallBlock,
  input: string,
  { tools }: Pick<AnswerContext, "tools">,
): string | null {
  const violation = findShapeViolation(input, EDIT_LIMITS);
  if (violation === "too_deep") return `The edited input has more than ${MAX_INPUT_DEPTH} levels.`;
  if (violation) return `The edited input has more than ${MAX_INPUT_VALUES} values.`;
  const parsed = parseJson(input);
  if (!parsed.ok) return "The edited input is not JSON.";
  if (!isPlain(input)) return "The edited input has a member twice.";
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) return `There is no tool named ${name} any more.`;
  const before = parseInput(asked);
  const place = findUneditableChange(before.ok && before.input, parsed.input, tool.editable);
  if (place !== null) return uneditableText(place, tool.editable);
  const schemaName = `the schema of ${name}`;
  const misfit = findMisfit(parsed.input, tool.input_schema, { schemaName });
  return misfit && `The edited input ${misfit.text}.`;
}

function uneditableText(place: string, editable: readonly string[] = []): string {
  const changed = place === "" ? "the whole input" : shorten(place);
  const free = editable.length === 0 ? "nothing" : `only ${shorten(editable.join(", "))}`;
  return `The edited input changes ${changed}; ${free} may be edited.`;
}
