import type { TaskWaitsFor } from "../protocol/background/events.ts";
import type { Elicitation } from "../protocol/mcp/events.ts";
import type { McpTask } from "../protocol/mcp/task.ts";
import type { AnsweredEvent } from "../protocol/told/answered-events.ts";
import type { ToolProgress } from "../protocol/tools/events.ts";
import type { AuthorizationRequired } from "../protocol/messages/call-reasons.ts";
import type { UntrustedSource } from "../protocol/messages/untrusted-content.ts";
import type { ToolResultState } from "../protocol/messages/blocks.ts";

/** A call that works on in the background, as its tool says. */
export interface LetGo {
  readonly task_id: string;
  readonly waits_for: TaskWaitsFor;
  /** Until when there has to be a result; ISO 8601. */
  readonly expires_at: string;
}

/** One piece of a tool's answer. */
export type ToolChunk =
  | { readonly type: "text"; readonly delta: string }
  | {
      readonly type: "data";
      readonly block_id?: string;
      readonly media_type: string;
      readonly data: string;
    }
  | {
      readonly type: "url";
      readonly block_id?: string;
      readonly media_type: string;
      readonly url: string;
    }
  /** The tool's work at the moment: shown to people, and no part of the result. */
  | ({ readonly type: "progress" } & ToolProgress)
  /** Events for readers of the session, as the tool tells them, and hints for the model. */
  | { readonly type: "told"; readonly events: readonly AnsweredEvent[] }
  /**
   * The tool needs input of a person before it can continue. It is the last piece, and the call is run again with the
   * answer; one that is `held` continues by itself when the answer is in the log.
   */
  | { readonly type: "ask"; readonly elicitation: Elicitation; readonly ttl_ms: number }
  /** The last piece: a person has to sign in first, and then the same call is made again. */
  | { readonly type: "authorization_required"; readonly authorization: AuthorizationRequired }
  /** The last piece: the server works on, and the call continues when it has something to say. */
  | { readonly type: "task"; readonly task: McpTask }
  /**
   * The last piece of a call that is let go: it works on as a task. The runner is asked for one more piece once that is in
   * the log, and gives none.
   */
  | ({ readonly type: "background" } & LetGo)
  /** The last piece: an agent works on it in a session of its own, and the call continues when that has ended. */
  | { readonly type: "subagent"; readonly session_id: string; readonly agent_id: string }
  /** The last piece. A stream that ends without one counts as `success`. */
  | {
      readonly type: "end";
      readonly state: Extract<ToolResultState, "success" | "error">;
      readonly metadata?: Record<string, unknown>;
      /** Of a recorded result: where its content is from, when that was not trusted. */
      readonly untrusted?: UntrustedSource | null;
      /** The tool asks that the reply ends behind the results of this turn. */
      readonly stops?: true;
      /** The text says why there is no result: what the tool had said of its progress is added to it. */
      readonly isWithoutResult?: true;
    };
