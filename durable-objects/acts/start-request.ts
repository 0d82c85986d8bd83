import type { ActOptions, ActPayload } from "./acts-api.ts";

/** The acts that begin a reply. */
export type StartAct = "startReply" | "startRun";

/** The body of the request of `api/start-request.ts`. */
export interface StartRequest<Name extends StartAct = StartAct> {
  readonly act: Name;
  readonly payload: ActPayload<Name>;
  readonly options: ActOptions;
  /** The query of the stream's request, without the position and the reply. */
  readonly query: string;
}
