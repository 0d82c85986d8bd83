import type { ToolReporter } from "../../agent/failure-report.ts";
import type { StopSignal, ToolCallRequest } from "../../agent/ports.ts";
import type { RemoteAgentClient } from "../../a2a/client/remote-client.ts";
import type { RemoteCalls } from "./remote-calls.ts";

/** One execution of a call of an agent of another system. */
export interface RemoteCall {
  readonly client: RemoteAgentClient;
  readonly request: ToolCallRequest;
  /** Null where nobody can be asked, and nothing can wait. */
  readonly remote: RemoteCalls | null;
  /** The task begins in the context of the tool's calls before it. */
  readonly keepsContext?: boolean;
  /** Milliseconds that a question waits for a person. */
  readonly answerMs: number;
  readonly stop: StopSignal;
  readonly report?: ToolReporter;
  /** As that of {@link followRemoteTask}. */
  readonly silenceMs?: number;
}
