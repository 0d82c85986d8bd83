// Answers of a run of AG-UI to what a room waits for, as the events and the turns that other clients post.
import { answersOf, type AnswerableCall } from "../../protocol/dialects/ag-ui/input/answers-of.ts";
import { interruptId } from "../../protocol/dialects/ag-ui/runs/interrupt-id.ts";
import type { ClientResult, ResumeEntry } from "../../protocol/dialects/ag-ui/input/run-input.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { PostedEventInput } from "../../protocol/events/contract.ts";
import { PostedEventSchema } from "../../protocol/events/contract.ts";
import { isJsonObject } from "../../protocol/json-object.ts";
import type { Room, RoomPendingCall } from "../../protocol/rooms/contract.ts";
import { type RoomInput, RoomInputSchema } from "../../protocol/rooms/conversation.ts";
import type * as z from "zod";

export interface RoomAnswers {
  readonly events: readonly z.output<typeof PostedEventSchema>[];
  readonly inputs: readonly RoomInput[];
}

interface Given {
  readonly resume: readonly ResumeEntry[];
  readonly results: readonly ClientResult[];
}

/** @returns a refusal with pointers for an answer that does not fit, and `interrupt_unknown` for one to nothing that waits. */
export function roomAnswersOf(
  { pending, input_requests }: Room,
  { resume, results }: Given,
): Result<RoomAnswers> {
  const asked = new Map(input_requests.map((request) => [request.id, request]));
  const inputs = resume.flatMap((entry): RoomInput[] => {
    const request = asked.get(entry.interrupt_id);
    return request ? [inputOf(entry, request)] : [];
  });
  const rest = resume.filter(({ interrupt_id }) => !asked.has(interrupt_id));
  const events: z.output<typeof PostedEventSchema>[] = [];
  const known = new Set<string>();
  for (const [reply_id, calls] of byReply(pending)) {
    const waiting = calls.map(answerable);
    const ids = new Set(waiting.map(({ id }) => interruptId(reply_id, id)));
    const own = rest.filter(({ interrupt_id }) => ids.has(interrupt_id));
    for (const { interrupt_id } of own) known.add(interrupt_id);
    const given = answersOf({ reply_id, waiting, resume: own, results });
    if (!given.ok) return given;
    events.push(...eventsOf(reply_id, calls, { own, answers: given.value }));
  }
  const unknown = rest.find(({ interrupt_id }) => !known.has(interrupt_id));
  if (!unknown) return accept({ events, inputs });
  const detail = "nothing in the room waits for this answer";
  return refuse("interrupt_unknown", detail, { errors: [{ pointer: unknown.pointer, detail }] });
}

function byReply(
  pending: readonly RoomPendingCall[],
): ReadonlyMap<string, readonly RoomPendingCall[]> {
  const found = new Map<string, RoomPendingCall[]>();
  for (const call of pending) found.set(call.reply_id, [...(found.get(call.reply_id) ?? []), call]);
  return found;
}

function answerable({ tool_call, kind }: RoomPendingCall): AnswerableCall {
  return { id: tool_call.id, kind, name: tool_call.name };
}

/** A call that is cancelled does not run, so its client need not send the hash of its input. */
function eventsOf(
  reply_id: string,
  calls: readonly RoomPendingCall[],
  {
    own,
    answers: { confirmations, results, hashes },
  }: {
    readonly own: readonly ResumeEntry[];
    readonly answers: Extract<ReturnType<typeof answersOf>, { ok: true }>["value"];
  },
): readonly z.output<typeof PostedEventSchema>[] {
  const cancelled = calls.flatMap(({ tool_call, input_hash }): [string, string][] => {
    const id = interruptId(reply_id, tool_call.id);
    const entry = own.find(({ interrupt_id }) => interrupt_id === id);
    return entry?.status === "cancelled" && input_hash !== null ? [[tool_call.id, input_hash]] : [];
  });
  const input_hashes = { ...Object.fromEntries(cancelled), ...hashes };
  const metadata = Object.keys(input_hashes).length > 0 ? { metadata: { input_hashes } } : {};
  const drafts: PostedEventInput[] = [];
  if (confirmations.length > 0) {
    const confirm_results = [...confirmations];
    drafts.push({ type: "USER_CONFIRM_RESULT", reply_id, confirm_results, ...metadata });
  }
  if (results.length > 0) {
    const execution_results = [...results] as never;
    drafts.push({ type: "EXTERNAL_EXECUTION_RESULT", reply_id, execution_results });
  }
  return drafts.map((draft) => PostedEventSchema.parse(draft));
}

function inputOf(
  { status, payload }: ResumeEntry,
  { id: input_request_id, participant, form }: Room["input_requests"][number],
): RoomInput {
  const place = { participant, input_request_id };
  if (status === "cancelled") return RoomInputSchema.parse({ ...place, action: "decline" });
  const members = isJsonObject(payload) ? payload : { content: payload };
  return form === null
    ? RoomInputSchema.parse({ ...place, content: textOf(members["content"]) })
    : RoomInputSchema.parse({ ...place, values: members });
}

/** The words of a client's answer; a space for none, as a turn that was taken says something. */
function textOf(content: unknown): string {
  if (content === undefined || content === null || content === "") return " ";
  return typeof content === "string" ? content : JSON.stringify(content);
}
