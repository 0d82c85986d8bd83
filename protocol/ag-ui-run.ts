// What the log knows of AG-UI's runs: the event with which a run begins says whose run it is.
import type { AgentEvent } from "./events.ts";

/**
 * In the metadata of `REPLY_START`, or of the `USER_CONFIRM_RESULT` or `EXTERNAL_EXECUTION_RESULT` with which a reply
 * goes on. The platform writes it; what a client sends under this name is dropped.
 */
const AG_UI_RUN = "ag_ui_run";

/** Of a `REPLY_START`: the version of the shared state with which the reply begins; left out while it is 0. */
const SHARED_STATE_VERSION = "shared_state_version";

/** What the client of AG-UI calls the thread and the run. */
export interface AgUiRunMark {
  /** The session's id when left out. */
  readonly thread_id?: string;
  /** The reply's id when left out. */
  readonly run_id?: string;
  /** The run that this one branches from. */
  readonly parent_run_id?: string;
}

/** As metadata of the event with which the run begins. */
export function runMetadata(mark: AgUiRunMark): Record<string, unknown> {
  return Object.keys(mark).length === 0 ? {} : { [AG_UI_RUN]: mark };
}

/** Empty when the event says nothing of a run. */
export function runMarkOf(event: AgentEvent): AgUiRunMark {
  const metadata = "metadata" in event ? event.metadata : undefined;
  const mark = metadata?.[AG_UI_RUN];
  return typeof mark === "object" && mark !== null ? (mark as AgUiRunMark) : {};
}

/** A client's metadata without what only the platform writes. */
export function withoutRunMark(
  metadata: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { [AG_UI_RUN]: _, ...rest } = metadata;
  return rest;
}

/** @param version 0 when there is no state. */
export function stateVersionMetadata(version: number): Record<string, unknown> {
  return version === 0 ? {} : { [SHARED_STATE_VERSION]: version };
}

/** 0 when there was no state. */
export function stateVersionOf(event: AgentEvent): number {
  const metadata = "metadata" in event ? event.metadata : undefined;
  const version = metadata?.[SHARED_STATE_VERSION];
  return typeof version === "number" ? version : 0;
}
