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
   * Id of the platform's agent, `agt_…`. The inherited member `agentId` is left to the framework, which may set its own
   * name.
   */
  readonly agentId: string;
  /** A thread name chosen by the app; the first run creates its session. Default: a random one. */
  readonly threadId?: string;
  /** An existing session, instead of a thread name. */
  readonly sessionId?: string;
  /** Additional headers for every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** @throws {TypeError} when both a thread and a session are given, or an id is invalid. */
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
