// Converts the answers of an AG-UI client into the events that other clients post.
import type * as z from "zod";

import { PostedConfirmResultSchema, PostedResultSchema } from "../../../events/contract.ts";
import { accept, refuse, type Result } from "../../../errors.ts";
import type { FieldError } from "../../../field-error.ts";
import { describeIssue } from "../../../words/describe-issue.ts";
import { interruptId } from "../runs/interrupt-id.ts";
import { clientMessageMetadata } from "../wire/result-message.ts";
import type { ClientResult, ResumeEntry } from "./run-input.ts";

/** A waiting call; or one that was answered, to compare a repeated answer with the first. */
export interface AnswerableCall {
  readonly id: string;
  readonly kind: "permission" | "external_result";
  /** Left out for a call of which nothing but its id is known any more. */
  readonly name?: string;
}

export interface Answers {
  /** For one `USER_CONFIRM_RESULT`. An absent input means the one that was shown. */
  readonly confirmations: readonly z.infer<typeof PostedConfirmResultSchema>[];
  /** For one `EXTERNAL_EXECUTION_RESULT`. */
  readonly results: readonly z.infer<typeof PostedResultSchema>[];
  /** By call id: the input hashes that entries send back, for `metadata.input_hashes`. */
  readonly hashes: Readonly<Record<string, string>>;
  /** Calls of `waiting` without an answer. */
  readonly unanswered: readonly AnswerableCall[];
  /** Entries that name no call of `waiting`. */
  readonly unknown: readonly ResumeEntry[];
}

type Judged<Schema extends z.ZodType> =
  | { readonly value: z.infer<Schema> }
  | { readonly wrong: FieldError };

/** The result text, for the model, of a call whose interrupt was cancelled. */
const CANCELLED = "The call was cancelled.";

/**
 * Pure except for the timestamps of blocks. One answer for each call, in the order of `waiting`: where an entry and a
 * message give the same call's result, the entry takes precedence, and the message is used when the entry has none. A
 * message never confirms a call.
 * @returns `resume_invalid`, with pointers into the request's body, for a payload that does not fit its interrupt, and
 * for two entries that answer one interrupt differently.
 */
export function answersOf(request: {
  readonly reply_id: string;
  readonly waiting: readonly AnswerableCall[];
  readonly resume: readonly ResumeEntry[];
  readonly results: readonly ClientResult[];
}): Result<Answers> {
  const { waiting } = request;
  const entries = new Map<string, ResumeEntry>();
  const errors: FieldError[] = [];
  for (const entry of request.resume) {
    const first = entries.get(entry.interrupt_id);
    if (!first) entries.set(entry.interrupt_id, entry);
    else if (!isSame(first, entry)) {
      errors.push({
        pointer: entry.pointer,
        detail: "this interrupt is answered differently above",
      });
    }
  }
  // The newest result of a call: a transcript may hold those of earlier attempts.
  const messages = new Map(request.results.map((result) => [result.tool_call_id, result]));

  const confirmations: z.infer<typeof PostedConfirmResultSchema>[] = [];
  const results: z.infer<typeof PostedResultSchema>[] = [];
  const hashes: [string, string][] = [];
  const unanswered: AnswerableCall[] = [];
  for (const call of waiting) {
    const id = interruptId(request.reply_id, call.id);
    const entry = entries.get(id);
    entries.delete(id);
    if (entry?.input_hash !== undefined) hashes.push([call.id, entry.input_hash]);
    if (call.kind === "permission") {
      if (!entry) unanswered.push(call);
      else keep(confirmationOf(call, entry), confirmations);
    } else {
      const message = messages.get(call.id);
      if (!entry && !message) unanswered.push(call);
      else keep(resultOf(call, entry, message), results);
    }
  }
  if (errors.length > 0) {
    return refuse("resume_invalid", errors[0]?.detail ?? "an answer does not fit", { errors });
  }
  return accept({
    confirmations,
    results,
    hashes: Object.fromEntries(hashes),
    unanswered,
    unknown: [...entries.values()],
  });

  function keep<Schema extends z.ZodType>(judged: Judged<Schema>, list: z.infer<Schema>[]): void {
    if ("wrong" in judged) errors.push(judged.wrong);
    else list.push(judged.value);
  }
}

function confirmationOf(
  { id, name }: AnswerableCall,
  { status, payload, pointer }: ResumeEntry,
): Judged<typeof PostedConfirmResultSchema> {
  const { reason, ...members } = membersOf(payload);
  // A cancelled entry denies. Of its payload only the reason counts.
  const { approved, editedArgs, rules } = status === "cancelled" ? { approved: false } : members;
  if (typeof approved !== "boolean") {
    const detail = "the answer is {approved: true} or {approved: false}";
    return { wrong: { pointer: `${pointer}/payload/approved`, detail } };
  }
  const isEdited = approved && editedArgs !== undefined && editedArgs !== null;
  if (isEdited && !isObject(editedArgs)) {
    const detail = "the call's whole input, an object";
    return { wrong: { pointer: `${pointer}/payload/editedArgs`, detail } };
  }
  const tool_call = { id, name, ...(isEdited && { input: JSON.stringify(editedArgs) }) };
  const parsed = PostedConfirmResultSchema.safeParse(
    { confirmed: approved, tool_call, rules: rules ?? null, reason },
    { error: describeIssue },
  );
  if (parsed.success) return { value: parsed.data };
  const [issue] = parsed.error.issues;
  const path = (issue?.path ?? []).map((step) => `/${escapeStep(String(step))}`).join("");
  return {
    wrong: {
      pointer: `${pointer}/payload${path}`,
      detail: issue?.message ?? "the answer does not fit",
    },
  };
}

function resultOf(
  { id, name }: AnswerableCall,
  entry: ResumeEntry | undefined,
  message: ClientResult | undefined,
): Judged<typeof PostedResultSchema> {
  // The client has stored the result under this message id, whichever of the two is used.
  const call = {
    id,
    name,
    ...(message && { metadata: clientMessageMetadata(message.message_id) }),
  };
  if (entry?.status === "cancelled") {
    return { value: PostedResultSchema.parse({ ...call, output: CANCELLED, state: "error" }) };
  }
  const payload = entry?.payload ?? null;
  if (payload !== null) return { value: resultOfPayload(call, payload) };
  if (message) {
    const { output, state } = message;
    return { value: PostedResultSchema.parse({ ...call, output, state }) };
  }
  const detail = "the call's result is missing: a text, {output, state} or any other JSON";
  return { wrong: { pointer: `${entry?.pointer ?? "#/resume"}/payload`, detail } };
}

/** An object with only `output` and optionally `state` is a posted result; any other payload is the output itself. */
function resultOfPayload(call: object, payload: unknown): z.infer<typeof PostedResultSchema> {
  if (typeof payload === "string") return PostedResultSchema.parse({ ...call, output: payload });
  const { output, state, ...rest } = membersOf(payload);
  if (Object.keys(rest).length === 0 && output !== undefined) {
    const written = { ...call, output, ...(state !== undefined && { state }) };
    const parsed = PostedResultSchema.safeParse(written);
    if (parsed.success) return parsed.data;
  }
  return PostedResultSchema.parse({ ...call, output: JSON.stringify(payload) });
}

function isSame(one: ResumeEntry, other: ResumeEntry): boolean {
  return (
    one.status === other.status &&
    one.input_hash === other.input_hash &&
    JSON.stringify(one.payload) === JSON.stringify(other.payload)
  );
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function escapeStep(step: string): string {
  return step.replaceAll("~", "~0").replaceAll("/", "~1");
}
