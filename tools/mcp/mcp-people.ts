// The people whom a server's questions reach, as one call of a reply knows them.
import type { KeptTask } from "../../agent/mcp/kept-task.ts";
import type { StopSignal } from "../../agent/ports.ts";
import type { InputResponses } from "../../protocol/mcp/events.ts";

/** The parameters with which a call is sent again, beside the answers. */
export interface KeptRequest {
  /** As the server gave it; null when it gave none. */
  readonly state: string | null;
  /** Answers that nobody was asked for, by the keys of their questions. */
  readonly settled: InputResponses;
  /** The call is made again as it was, without the answers: those who were asked have opened pages. */
  readonly isPlain?: true;
  /** The task that the call was given in place of a result. */
  readonly task?: KeptTask;
}

export interface McpPeople {
  /** Milliseconds that a question waits. */
  readonly ttlMs: number;
  /** Keeps it on disk until the call has ended. Nothing is shown of it. */
  keep(request: KeptRequest): void;
  /** Null when nothing was kept. */
  kept(): KeptRequest | null;
  /** The answer to the question that was just shown, once it is on disk; null after `stop`. Never rejects. */
  untilAnswered(stop: StopSignal): Promise<InputResponses | null>;
}
