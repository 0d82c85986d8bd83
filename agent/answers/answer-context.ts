// The types of an answer: what it is checked against, and its outcome.
import type { EventDraft } from "../../protocol/events.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import type { PermissionSettings } from "../permission/check-call.ts";
import type { ToolDeclaration } from "../ports.ts";

/** The answer that one call got. */
export interface GivenAnswer {
  readonly confirmed: boolean;
  /** The JSON text that runs; for a denied call, the one that was asked about. */
  readonly input: string;
  readonly rules: readonly PermissionRule[];
  /** The reason; null when the answer does not say. Absent in answers that were stored before it could. */
  readonly reason?: string | null;
}

/** The stored record of one call that was asked about. */
export interface CallJournal {
  /** As `REQUIRE_USER_CONFIRM.metadata.input_hashes` announced it. */
  readonly inputHash: string | null;
  /** Null until the call is answered. */
  readonly answer: GivenAnswer | null;
}

/** Rights of the credential that brings an answer. */
export interface AnswerRights {
  /** May add rules that the platform has not suggested; needs the scope `permission_rules:write`. */
  readonly may_write_rules: boolean;
  /** May give rules that were suggested; a client token gives none. */
  readonly may_take_rules: boolean;
  /** May allow a call with another input than the one that was asked about. */
  readonly may_edit: boolean;
  /** A confirmation must bring back the hash of the input. */
  readonly must_prove_input: boolean;
  /** May confirm calls; left out by Workers of older releases, which have not said so. */
  readonly may_confirm?: boolean;
  /** The calls that the credential is limited to; all when left out. */
  readonly tool_call_ids?: readonly string[];
}

/** The one who answers, as the accepted event's metadata names them. */
export interface DecidedBy {
  readonly kind: string;
  readonly id: string;
  /** Of a member. */
  readonly name?: string;
}

export interface AnswerContext {
  /** The permission of the reply: the agent's rules, then the session's. */
  readonly permission: PermissionSettings;
  readonly tools: readonly ToolDeclaration[];
  readonly rights: AnswerRights;
  /** Goes into the accepted event's metadata. */
  readonly decided_by: DecidedBy;
  /** Null for a call that was never asked about. */
  journalOf(toolCallId: string): CallJournal | null;
}

/** An accepted answer; it is written in one commit. */
export interface Answered {
  /** False for a repeated answer, which writes nothing. */
  readonly applied: boolean;
  /** The accepted event, then its effects. */
  readonly events: readonly EventDraft[];
  /** New rules for the session. */
  readonly rules: readonly PermissionRule[];
  /** By call id, the answers to store, including those of calls that new rules have settled. */
  readonly answers: ReadonlyMap<string, GivenAnswer>;
}
