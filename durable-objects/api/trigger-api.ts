// The RPC interface of a trigger's object. Types only.
import type { Result } from "../../protocol/errors.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import type {
  TriggerDefinition,
  TriggerRun,
  TriggerRunStatus,
  TriggerStatus,
} from "../../protocol/triggers/contract.ts";
import type { TriggeredInput } from "../../protocol/triggers/run-input.ts";
import type { Once } from "./session-api.ts";

/** A trigger as its row in D1 has it. An object takes one with a higher revision than its own. */
export interface ArmedTrigger {
  readonly tenant_id: string;
  readonly trigger_id: string;
  readonly revision: number;
  readonly status: TriggerStatus;
  readonly definition: TriggerDefinition;
  /** Times of the schedule are due behind this one: its making, its last change, or the end of a pause. */
  readonly due_after: string;
  /** `https://host` of the request that made it: addresses that its sessions send out begin with it. */
  readonly origin: string | null;
}

/** The definition with what a payload has filled in. */
export interface RunSubject {
  /** The input with its template filled in. */
  readonly input: TriggeredInput;
  /** The key of its session, in the mode `keyed`; null in the others. */
  readonly session_key: string | null;
  readonly end_user_id: string | null;
  /** The input has content of a payload that nobody vouches for. */
  readonly is_untrusted: boolean;
}

/** A run by hand. */
export interface ManualRun extends RunSubject {
  readonly trigger: ArmedTrigger;
  /** A request that is repeated begins no other run; null for one without a key. */
  readonly request_id: string | null;
}

/** A verified delivery of a webhook. */
export interface DeliveredWebhook extends RunSubject {
  readonly trigger: ArmedTrigger;
  /** The sender's id of it: one that was taken in the last 30 days is found again. */
  readonly sender_id: string;
  /** `sha256:` and 64 hex digits over the bytes that the sender has signed. */
  readonly payload_sha256: string;
}

export interface ListRuns {
  /** Runs made before this one; the newest first when it is left out. */
  readonly before?: string | undefined;
  readonly status?: TriggerRunStatus | undefined;
  readonly limit: number;
}

export interface TriggerApi {
  /** Takes the trigger's newest row, and sets its alarm. An older revision than its own changes nothing. */
  configure(trigger: ArmedTrigger): Promise<Result<null>>;
  /** Resolves when the run is on disk, which goes on by itself. Also while the trigger is paused. */
  runByHand(run: ManualRun): Promise<Once<TriggerRun>>;
  /**
   * Resolves when the run is on disk, which goes on by itself. `is_replayed` for a sender's id that was taken before.
   * Refusals: `trigger_paused`; `quota_exceeded` when too many runs are open.
   */
  takeWebhook(delivery: DeliveredWebhook): Promise<Once<TriggerRun>>;
  /** The newest first. */
  listRuns(request: ListRuns): Promise<Page<TriggerRun>>;
  readRun(runId: string): Promise<Result<TriggerRun>>;
  /** Called by a session of the trigger: a reply has begun, ended or waits there. The trigger looks. */
  noteSession(sessionId: string): Promise<void>;
  /** Called by the trigger's room: the discussion of its message has ended, waits or goes on. The trigger looks. */
  noteMessage(messageId: string): Promise<void>;
  /** Runs for this end user, or with one of their sessions, lose what says whose they are. */
  forgetEndUser(endUserId: string): Promise<void>;
  /** Erases everything; repeated it does nothing. */
  erase(): Promise<void>;
}

/** The name of a trigger's object. */
export function triggerObjectName(tenantId: string, triggerId: string): string {
  return `${tenantId}:${triggerId}`;
}
