// The mark of an AG-UI run in the event log: the first event of a run names its thread and run.
import type { AgentEvent } from "../events.ts";

/**
 * Metadata key of a run's first event: a `REPLY_START`, or the `USER_CONFIRM_RESULT` or `EXTERNAL_EXECUTION_RESULT`
 * that resumes a reply. Written by the platform only; a client's value under this key is dropped.
 */
const AG_UI_RUN = "ag_ui_run";

/** Metadata key of a `REPLY_START`: the version of the shared state at the start of the reply; absent while it is 0. */
const SHARED_STATE_VERSION = "shared_state_version";

/** The tools and the context that an AG-UI client brings to a run. */
export interface AgUiOffer {
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    /** JSON Schema. */
    readonly input_schema: Readonly<Record<string, unknown>>;
  }[];
  readonly context: readonly { readonly description: string; readonly value: string }[];
}

/**
 * The thread and run ids that the AG-UI client uses, and what it brought to the run: runs from before that was kept
 * have neither tools nor context.
 */
export interface AgUiRunMark extends Partial<AgUiOffer> {
  /** The session's id when left out. */
  readonly thread_id?: string;
  /** The reply's id when left out. */
  readonly run_id?: string;
  /** The run that this one branches from. */
  readonly parent_run_id?: string;
}

/** The metadata for the first event of the run. @param offer Without it, the client brought nothing. */
export function runMetadata(
  ids: Omit<AgUiRunMark, keyof AgUiOffer>,
  { tools = [], context = [] }: Partial<AgUiOffer> = {},
): Record<string, unknown> {
  const mark: AgUiRunMark = {
    ...ids,
    ...(tools.length > 0 && { tools }),
    ...(context.length > 0 && { context }),
  };
  return Object.keys(mark).length === 0 ? {} : { [AG_UI_RUN]: mark };
}

/** Empty when the event carries no mark. */
export function runMarkOf(event: AgentEvent): AgUiRunMark {
  const metadata = "metadata" in event ? event.metadata : undefined;
  const mark = metadata?.[AG_UI_RUN];
  return typeof mark === "object" && mark !== null ? (mark as AgUiRunMark) : {};
}

/** A client's metadata without the key that only the platform may write. */
export function withoutRunMark(
  metadata: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { [AG_UI_RUN]: _, ...rest } = metadata;
  return rest;
}

/** @param version 0 while there is no shared state. */
export function stateVersionMetadata(version: number): Record<string, unknown> {
  return version === 0 ? {} : { [SHARED_STATE_VERSION]: version };
}

/** Of a `REPLY_START`, or of the message of its reply. 0 when there was no shared state. */
export function stateVersionOf({ metadata }: Pick<AgentEvent, "metadata">): number {
  const version = metadata?.[SHARED_STATE_VERSION];
  return typeof version === "number" ? version : 0;
}
