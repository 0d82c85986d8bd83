// What an answer of somebody outside is held against, and what comes of it. Shapes only.
import type { EventDraft } from "../../protocol/events.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import type { PermissionContext } from "../permission/check-call.ts";
import type { ToolDeclaration } from "../ports.ts";

/** What was answered about one call. */
export interface GivenAnswer {
  readonly confirmed: boolean;
  /** The JSON text that runs; of a refused call, the one that was asked about. */
  readonly input: string;
  readonly rules: readonly PermissionRule[];
}

/** What is remembered of one call that was asked about. */
export interface CallJournal {
  /** As `REQUIRE_USER_CONFIRM.metadata.input_hashes` announced it. */
  readonly inputHash: string | null;
  /** Null while nobody has answered. */
  readonly answer: GivenAnswer | null;
}

/** What the one who answers may do. */
export interface AnswerRights {
  /** May add rules that the platform has not suggested; needs the scope `permission_rules:write`. */
  readonly may_write_rules: boolean;
  /** May give rules that were suggested; a client token gives none. */
  readonly may_take_rules: boolean;
  /** May let a call run with another input than the one that was asked about. */
  readonly may_edit: boolean;
  /** The hash of the input has to come back with a confirmation. */
  readonly must_prove_input: boolean;
  /** The calls that the credential is about; all of them when left out. */
  readonly tool_call_ids?: readonly string[];
}

export interface AnswerContext {
  /** As the run has it: the agent's rules, then the session's. */
  readonly permission: PermissionContext;
  readonly tools: readonly ToolDeclaration[];
  readonly rights: AnswerRights;
  /** Goes into the accepted event's metadata. */
  readonly decided_by: { readonly kind: string; readonly id: string };
  /** Null for a call that was never asked about. */
  journalOf(toolCallId: string): CallJournal | null;
}

/** An accepted answer: all of it goes into one commit. */
export interface Answered {
  /** False for an answer that was given before in the same words: then there is nothing to write. */
  readonly applied: boolean;
  /** The accepted event, then its effects. */
  readonly events: readonly EventDraft[];
  /** Rules that hold from now on, for the session. */
  readonly rules: readonly PermissionRule[];
  /** By call id, what the journal has to remember; calls that new rules have settled are among them. */
  readonly answers: ReadonlyMap<string, GivenAnswer>;
}
