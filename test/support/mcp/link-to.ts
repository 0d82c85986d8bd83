// A link to an MCP server of a test, with a memory that lasts as long as the test.
import { onTestFinished } from "vitest";

import { createOutgoing } from "../../../outgoing/outgoing.ts";
import type { McpDialect } from "../../../protocol/mcp/versions.ts";
import { CallDeadline } from "../../../tools/mcp/call-deadline.ts";
import type { McpCall } from "../../../tools/mcp/mcp-call.ts";
import { McpLink } from "../../../tools/mcp/mcp-link.ts";
import type { McpMemory } from "../../../tools/mcp/mcp-memory.ts";
import { HANG_LIMITS } from "../hang-limits.ts";

export interface TestLink {
  readonly link: McpLink;
  readonly memory: { dialect: McpDialect | null; sessionId: string | null; listChanges: number };
  /** The end of one call of the tool `act`. */
  readonly act: (more?: Partial<McpCall>) => Promise<ReturnOf<McpLink["call"]>>;
  readonly list: () => ReturnType<McpLink["list"]>;
}

type ReturnOf<Call extends (...given: never[]) => unknown> =
  ReturnType<Call> extends AsyncGenerator<unknown, infer Outcome> ? Outcome : never;

/** @param remembered What is known of the server before the test. */
export function linkTo(
  url: string,
  {
    stateful = true,
    dialect = null,
    sessionId = null,
    maxBytes = 1_000_000,
    totalMs = HANG_LIMITS.testTimeout,
  }: Partial<Pick<TestLink["memory"], "dialect" | "sessionId">> & {
    readonly stateful?: boolean;
    readonly maxBytes?: number;
    readonly totalMs?: number;
  } = {},
): TestLink {
  const memory = { dialect, sessionId, listChanges: 0 };
  const kept: McpMemory = {
    get dialect() {
      return memory.dialect;
    },
    get sessionId() {
      return memory.sessionId;
    },
    noteDialect: (found) => void (memory.dialect = found),
    noteSession: (given) => void (memory.sessionId = given),
    noteListChanged: () => void (memory.listChanges += 1),
  };
  const outgoing = createOutgoing({ environment: "local", fetch });
  const endpoint = { url, headers: new Headers(), secrets: [], outgoing, maxBytes };
  const link = new McpLink({ name: "wh", endpoint, stateful }, kept);
  const { signal } = new AbortController();
  const deadlines: CallDeadline[] = [];
  onTestFinished(() => deadlines.forEach((one) => one.release()));
  const open = (): CallDeadline => {
    const deadline = new CallDeadline({ idleMs: totalMs, totalMs }, signal);
    deadlines.push(deadline);
    return deadline;
  };
  return {
    link,
    memory,
    list: () => link.list(open()),
    async act(more) {
      const call = { name: "act", input: {}, headers: {}, people: null, ...more };
      const running = link.call(call, open());
      for (;;) {
        const { done, value } = await running.next();
        if (done) return value;
      }
    },
  };
}
