// One thread over HTTP: the requests that its frames come from.
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

  /** @param agentId The platform's. */
  constructor(transport: Transport, agentId: string, threadId: string) {
    this.id = threadId;
    this.#transport = transport;
    this.#path = ["agents", agentId, "ag-ui"];
    this.#sessionId = threadId.startsWith("ses_") ? threadId : null;
  }

  get transport(): Transport {
    return this.#transport;
  }

  /** Null until the platform has said which session a thread with a name of the app's own is. */
  get sessionId(): string | null {
    return this.#sessionId;
  }

  /** Begins the run, or finds it: its id again is the same run. Failures as in {@link Transport.open}. */
  run(input: RunAgentInput, signal?: AbortSignal): Promise<OpenAnswer> {
    return this.#open({ method: "POST", path: this.#path, body: input, signal });
  }

  /** @param after The last frame that the reader has; null for one that has nothing, and joins. */
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
      // Where the protocol's own client has what a refusal says.
      if (ApiError.isInstance(error)) Object.assign(error, { payload: error.problem });
      throw error;
    }
  }
}
