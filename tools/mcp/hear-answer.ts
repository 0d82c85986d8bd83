// Messages of a server before its response: progress, questions, and changes of its catalogue.
import { MAX_MCP_SERVER_REQUESTS, MCP_FAREWELL_MS } from "../../protocol/mcp/limits.ts";
import { mcpAnswer } from "../../protocol/mcp/requests.ts";
import { answerServerRequest } from "./answer-server-request.ts";
import type { CallDeadline } from "./call-deadline.ts";
import { post } from "./exchange.ts";
import { HeldAsks, type HeldAsksContext } from "./held-asks.ts";
import type { McpUpdate } from "./mcp-call.ts";
import type { McpEndpoint } from "./mcp-endpoint.ts";
import type { McpNotice, McpOutcome } from "./mcp-outcome.ts";
import { readProgress } from "./read-progress.ts";
import type { SideCall } from "./side-stream.ts";
import { withSession, type McpLine } from "./open-line.ts";

export interface Hearing {
  readonly endpoint: McpEndpoint;
  readonly line: McpLine;
  readonly deadline: CallDeadline;
  readonly progressToken: string | undefined;
  /** Whom the server may ask; undefined for requests that are no calls. */
  readonly asking: Pick<HeldAsksContext, "people" | "noteUnasked"> | undefined;
  /** The session's other stream, where it has one. */
  readonly side?: SideCall | null;
  readonly noteListChanged: () => void;
}

/** Reads to the response; what comes before it, or on the session's other stream, is told, answered or left. */
export async function* hearAnswer(
  running: AsyncGenerator<McpNotice, McpOutcome>,
  hearing: Hearing,
): AsyncGenerator<McpUpdate, McpOutcome> {
  const { side } = hearing;
  try {
    return yield* hear(side ? side.hear(running) : running, hearing);
  } finally {
    side?.leave();
  }
}

async function* hear(
  running: AsyncGenerator<McpNotice, McpOutcome>,
  { endpoint, line, deadline, progressToken, asking, side, noteListChanged }: Hearing,
): AsyncGenerator<McpUpdate, McpOutcome> {
  const answer: HeldAsksContext["answer"] = (id, outcome) => {
    const message = withSession(mcpAnswer(id, outcome, line.dialect), line);
    void post(endpoint, message, AbortSignal.timeout(MCP_FAREWELL_MS));
  };
  const beside = side ? { onAsk: side.rest, onAnswered: side.resume } : {};
  const { stop } = deadline;
  const asks = asking && new HeldAsks({ ...asking, ...beside, deadline, stop, answer });
  let requests = 0;
  let isChanged = false;
  let next: ReturnType<typeof running.next> | null = null;
  for (;;) {
    const ask = asks?.next();
    if (ask) {
      yield { ask };
      asks?.wait();
    }
    next ??= running.next();
    const turn = asks ? await asks.race(next) : await next;
    if (!turn) continue;
    next = null;
    const { done, value } = turn;
    if (done) {
      asks?.close();
      return value;
    }
    if (value.kind === "request") {
      requests += 1;
      if (requests > MAX_MCP_SERVER_REQUESTS) {
        await running.return({ type: "accepted" });
        deadline.release();
        const reason = "asks the platform in a loop, in place of an answer";
        asks?.close();
        return { type: "broken", kind: "malformed_answer", reason };
      }
      if (asks && value.method === "elicitation/create" && line.dialect.era === "legacy") {
        asks.take(value);
        continue;
      }
      const refusal = withSession(answerServerRequest(value, line.dialect), line);
      void post(endpoint, refusal, AbortSignal.timeout(MCP_FAREWELL_MS));
    } else if (value.method === "notifications/tools/list_changed") {
      // Once: each note is a write, and a server may say it a thousand times.
      if (!isChanged) noteListChanged();
      isChanged = true;
    } else if (value.method === "notifications/progress" && progressToken !== undefined) {
      if (value.params["progressToken"] !== progressToken) continue;
      deadline.touch();
      side?.noteProgress();
      const progress = readProgress(value.params);
      if (progress) yield { progress };
    }
  }
}
