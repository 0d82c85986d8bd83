// The HTTP requests of one AG-UI thread.
import type { RunAgentInput } from "@ag-ui/client";

import { SESSION_ID_HEADER } from "../../protocol/requests/headers.ts";
import { ApiError } from "../transport/api-error.ts";
import type { ApiRequest } from "../transport/api-request.ts";
import type { OpenAnswer, Transport } from "../transport/transport.ts";

export class AgUiThread {
  readonly id: string;
  readonly #transport: Transport;
  readonly #path: readonly string[];
  #sessionId: string | null;
  #runSessionId: string | null = null;

  /** @param agentId The platform's id of the agent, `agt_…`. */
  constructor(transport: Transport, agentId: string, threadId: string) {
    this.id = threadId;
    this.#transport = transport;
    this.#path = ["agents", agentId, "ag-ui"];
    this.#sessionId = threadId.startsWith("ses_") ? threadId : null;
  }

  get transport(): Transport {
    return this.#transport;
  }

  /** Null until the first answer names the session of a thread with an app-chosen name. */
  get sessionId(): string | null {
    return this.#sessionId;
  }

  /** The session of the newest run: a run with an older parent is in a fork, which has a session of its own. */
  get runSessionId(): string | null {
    return this.#runSessionId ?? this.#sessionId;
  }

  /** Starts the run; the same run id again returns the same run. Failures as in {@link Transport.open}. */
  async run(input: RunAgentInput, signal?: AbortSignal): Promise<OpenAnswer> {
    const answer = await this.#open({ method: "POST", path: this.#path, body: input, signal });
    this.#runSessionId = sessionIdOf(answer) ?? this.#sessionId;
    // Only a run with a parent can be in a fork.
    if (input.parentRunId == null) this.#sessionId = this.#runSessionId;
    return answer;
  }

  /**
   * @param after The last frame received; null to join without any.
   * @param threadId Of the fork that a run began in.
   */
  async join(
    after: string | null,
    signal?: AbortSignal,
    threadId: string = this.id,
  ): Promise<OpenAnswer> {
    const query = { thread_id: threadId, after: after ?? undefined };
    const answer = await this.#open({ method: "GET", path: this.#path, query, signal });
    if (threadId === this.id) this.#sessionId = sessionIdOf(answer) ?? this.#sessionId;
    return answer;
  }

  async #open(request: ApiRequest): Promise<OpenAnswer> {
    try {
      return await this.#transport.open({ ...request, accept: "text/event-stream" });
    } catch (error) {
      // AG-UI's client expects the error body in `payload`.
      if (ApiError.isInstance(error)) Object.assign(error, { payload: error.problem });
      throw error;
    }
  }
}

/** The session that the answer is of; null when a proxy has taken the header away. */
function sessionIdOf({ response }: OpenAnswer): string | null {
  return response.headers.get(SESSION_ID_HEADER);
}
