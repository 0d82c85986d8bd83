// The HTTP requests of one AG-UI thread.
import type { RunAgentInput } from "@ag-ui/client";

import { SESSION_ID_HEADER } from "../../protocol/session-id-header.ts";
import { ApiError } from "../transport/api-error.ts";
import type { ApiRequest } from "../transport/api-request.ts";
import type { OpenAnswer, Transport } from "../transport/transport.ts";

export class AgUiThread {
  readonly id: string;
  readonly #transport: Transport;
  readonly #path: readonly string[];
  #sessionId: string | null;

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

  /** Starts the run; the same run id again returns the same run. Failures as in {@link Transport.open}. */
  run(input: RunAgentInput, signal?: AbortSignal): Promise<OpenAnswer> {
    return this.#open({ method: "POST", path: this.#path, body: input, signal });
  }

  /** @param after The last frame received; null to join without any. */
  join(after: string | null, signal?: AbortSignal): Promise<OpenAnswer> {
    const query = { thread_id: this.id, after: after ?? undefined };
    return this.#open({ method: "GET", path: this.#path, query, signal });
  }

  async #open(request: ApiRequest): Promise<OpenAnswer> {
    try {
      const answer = await this.#transport.open({ ...request, accept: "text/event-stream" });
      this.#sessionId = answer.response.headers.get(SESSION_ID_HEADER) ?? this.#sessionId;
      return answer;
    } catch (error) {
      // AG-UI's client expects the error body in `payload`.
      if (ApiError.isInstance(error)) Object.assign(error, { payload: error.problem });
      throw error;
    }
  }
}
