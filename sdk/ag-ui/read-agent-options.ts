import type { AgentConfig } from "@ag-ui/client";

import { toUrl } from "../transport/api-request.ts";
import type { RepriseOptions } from "../transport/reprise-options.ts";
import type { StreamOptions } from "../events/read-events.ts";

export interface RepriseAgentOptions
  extends
    RepriseOptions,
    Pick<StreamOptions, "onConnectionChange">,
    Pick<AgentConfig, "description" | "initialMessages" | "initialState" | "debug"> {
  /**
   * The platform's agent, `agt_…`. The agent's own member `agentId` is left to the framework that registers it under a
   * name of its own.
   */
  readonly agentId: string;
  /** A name of the app's own: the session comes into being with the first run. Default: a random one. */
  readonly threadId?: string;
  /** Instead of a thread's name: a session that exists. */
  readonly sessionId?: string;
  /** More headers for every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** @throws {TypeError} on two names for the thread, or an id that is none. */
export function readAgentOptions(options: RepriseAgentOptions) {
  const { agentId, threadId, sessionId, headers, description, debug } = options;
  if (threadId !== undefined && sessionId !== undefined && threadId !== sessionId) {
    throw new TypeError("give a threadId or a sessionId: the session is the thread");
  }
  return {
    url: toUrl(options.baseUrl.replace(/\/+$/, ""), {
      method: "POST",
      path: ["agents", agentId, "ag-ui"],
    }),
    threadId: sessionId ?? threadId,
    headers: { ...headers },
    fetch: options.fetch,
    initialMessages: options.initialMessages,
    initialState: options.initialState,
    description,
    debug,
  };
}
