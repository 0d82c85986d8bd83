// Converts waiting calls into AG-UI interrupts.
import { elicitationOf, type Elicitation } from "../../../mcp/events.ts";
import { authorizationOf } from "../../../messages/authorization.ts";
import type { ToolCallBlock } from "../../../messages/blocks.ts";
import type { EventOf } from "../../../events.ts";
import { MAX_ANSWER_REASON_CHARACTERS } from "../../../confirmations/limits.ts";
import type { AgUiInterrupt, AgUiOutcome } from "../wire/events.ts";
import { interruptId } from "./interrupt-id.ts";

export type Announcement = EventOf<"REQUIRE_USER_CONFIRM" | "REQUIRE_EXTERNAL_EXECUTION">;

/** By call id: the event that requested the confirmation or external execution. */
type Announcements = ReadonlyMap<string, Announcement>;

/** A call that waits for an answer, and the metadata of the event with which it has asked. */
export interface AskedBlock {
  readonly call: ToolCallBlock;
  readonly metadata: Announcement["metadata"];
}

/** Rights and duties of a reader when it answers. */
export interface Answerer {
  /** The reader's answers may change inputs, where the tool allows edits. */
  readonly mayEdit: boolean;
  /** The reader's answers must contain the hash of the input that they are about. */
  readonly mustSendHash: boolean;
}

/** Value of `REQUIRE_EXTERNAL_EXECUTION.metadata.offered_by` for tools that the client declared. */
const CLIENT = "client";

/**
 * The outcome of a run whose reply is parked.
 * @param waiting Calls that wait for a confirmation or an external result.
 * @param called The questions of agents that the reply has called.
 */
export function waitingOutcome(
  replyId: string,
  waiting: readonly ToolCallBlock[],
  { announcements }: { readonly announcements: Announcements },
  reader: Answerer,
  called: readonly AgUiInterrupt[],
): AgUiOutcome {
  const isClients = waiting.every(({ id }) => {
    return ofCall(announcements.get(id)?.metadata["offered_by"], id) === CLIENT;
  });
  if (isClients && called.length === 0) {
    return { type: "success", pendingToolCallIds: waiting.map(({ id }) => id) };
  }
  const own = toInterrupts(replyId, waiting, announcements, reader);
  return { type: "interrupt", interrupts: [...own, ...called] };
}

/** Includes the input hash as a constant, so that a form generated from the schema sends it back. */
function answerSchema({
  inputHash,
  isEditable,
  mustSendHash,
}: {
  readonly inputHash: string | undefined;
  readonly isEditable: boolean;
  readonly mustSendHash: boolean;
}): Readonly<Record<string, unknown>> {
  return {
    type: "object",
    properties: {
      approved: { type: "boolean" },
      ...(isEditable && { editedArgs: { type: "object" } }),
      rules: { type: "array", items: { type: "object" } },
      reason: { type: "string", maxLength: MAX_ANSWER_REASON_CHARACTERS },
      ...(inputHash !== undefined && { inputHash: { const: inputHash } }),
    },
    required: inputHash !== undefined && mustSendHash ? ["approved", "inputHash"] : ["approved"],
  };
}

/** One for each call that waits. */
export function toInterrupts(
  replyId: string,
  waiting: readonly ToolCallBlock[],
  announcements: Announcements,
  { mayEdit, mustSendHash }: Answerer,
): AgUiInterrupt[] {
  return waiting.map((call) => {
    const metadata = announcements.get(call.id)?.metadata ?? {};
    const expiresAt = ofCall(metadata["expires_at"], call.id);
    const base = {
      id: interruptId(replyId, call.id),
      toolCallId: call.id,
      ...(expiresAt !== undefined && { expiresAt }),
    };
    const elicitation = elicitationOf(metadata, call.id);
    if (call.state === "submitted" && elicitation) {
      const { server, round, requests } = elicitation;
      return {
        ...base,
        reason: "agentscope:elicitation",
        message: questionOf(metadata, call.id) ?? `${server} asks for input.`,
        responseSchema: inputAnswerSchema(elicitation),
        metadata: { agentscope: { kind: "elicitation", replyId, server, round, requests } },
      };
    }
    const signIn = authorizationOf(metadata, call.id);
    if (call.state === "submitted" && signIn) {
      const { url, connection_id: connectionId, mcp_server_id: serverId } = signIn;
      return {
        ...base,
        reason: "agentscope:authorization_required",
        message: `A sign-in is needed before ${call.name} runs.`,
        metadata: {
          agentscope: { kind: "authorization_required", replyId, url, connectionId, serverId },
        },
      };
    }
    if (call.state === "submitted") {
      return {
        ...base,
        reason: "agentscope:external_execution",
        message: `The result of ${call.name} is awaited.`,
        metadata: { agentscope: { kind: "external_execution", replyId } },
      };
    }
    const inputHash = ofCall(metadata["input_hashes"], call.id);
    const editable = listOfCall(metadata["editable"], call.id);
    const isEditable = mayEdit && editable?.length !== 0;
    return {
      ...base,
      reason: "tool_call",
      message: questionOf(metadata, call.id) ?? `Run \`${call.name}\`?`,
      responseSchema: answerSchema({ inputHash, isEditable, mustSendHash }),
      metadata: {
        agentscope: {
          kind: "user_confirm",
          replyId,
          suggestedRules: call.suggested_rules,
          ...(isEditable && editable && { editable }),
          ...(inputHash !== undefined && { inputHash }),
        },
      },
    };
  });
}

/** One question is answered by itself, several by their keys. */
function inputAnswerSchema({ requests }: Elicitation): Readonly<Record<string, unknown>> {
  const schemas = Object.entries(requests).map(([key, request]) => {
    const content = request.mode === "form" && { content: request.requested_schema };
    const properties = { action: { enum: ["accept", "decline", "cancel"] }, ...content };
    return [key, { type: "object", properties, required: ["action"] }] as const;
  });
  const [only] = schemas;
  if (schemas.length === 1 && only) return only[1];
  const required = schemas.map(([key]) => key);
  const responses = { type: "object", properties: Object.fromEntries(schemas), required };
  return { type: "object", properties: { responses }, required: ["responses"] };
}

/** Questions of older versions have a reason only. */
export function questionOf(metadata: Announcement["metadata"], callId: string): string | undefined {
  return ofCall(metadata["questions"], callId) ?? ofCall(metadata["reasons"], callId);
}

/** Reads an entry of a metadata record keyed by call id. */
export function ofCall(record: unknown, callId: string): string | undefined {
  const value = memberOf(record, callId);
  return typeof value === "string" ? value : undefined;
}

function listOfCall(record: unknown, callId: string): readonly unknown[] | undefined {
  const value = memberOf(record, callId);
  return Array.isArray(value) ? value : undefined;
}

function memberOf(record: unknown, name: string): unknown {
  if (!record || typeof record !== "object" || !Object.hasOwn(record, name)) return undefined;
  return (record as Record<string, unknown>)[name];
}
