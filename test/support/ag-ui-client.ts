// The protocol's own client as the judge of what we write: its checks, its schemas, its way to build messages.
import { HttpAgent, type AgentSubscriber } from "@ag-ui/client";
import { EventSchemas } from "@ag-ui/core/schemas";
import { expect, vi } from "vitest";

type Message = HttpAgent["messages"][number];

export interface Played {
  readonly messages: readonly Message[];
  readonly state: unknown;
  readonly pendingInterrupts: readonly { readonly id: string; readonly toolCallId?: string }[];
  /** Complaints of the client: nothing when all is well. */
  readonly warnings: readonly unknown[];
}

/**
 * Lets a fresh client read `body`. Rejects where the client finds that the protocol is violated.
 * @param initialMessages What the client holds already.
 */
export async function playAgUi(
  body: string | null,
  initialMessages: readonly Message[] = [],
): Promise<Played> {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  // A violation is told by the rejection.
  const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
  try {
    const headers = { "content-type": "text/event-stream" };
    const agent = new HttpAgent({
      url: "http://client.invalid/",
      threadId: "ses_1",
      initialMessages: [...initialMessages],
      fetch: async () => new Response(body, { headers }),
    });
    const failures: unknown[] = [];
    const subscriber: AgentSubscriber = {
      onRunFailed: (failed) => void failures.push(failed.error),
    };
    await agent.runAgent({}, subscriber);
    if (failures.length > 0) throw failures[0];
    return {
      messages: agent.messages,
      state: agent.state as unknown,
      pendingInterrupts: agent.pendingInterrupts,
      warnings: warn.mock.calls,
    };
  } finally {
    warn.mockRestore();
    error.mockRestore();
  }
}

/** @returns The events as a stream's text, each of which the protocol's schemas take as it is. */
export function agUiBody(events: readonly object[]): string {
  return events
    .map((event) => {
      const parsed = EventSchemas.safeParse(event);
      expect(parsed.error?.issues ?? []).toEqual([]);
      return `data: ${JSON.stringify(event)}\n\n`;
    })
    .join("");
}

/**
 * Messages with the results of a round in the order of their ids: a stream has them as they came, a snapshot as their
 * calls began.
 */
export function inCallOrder<Shown extends { readonly id: string; readonly role: string }>(
  messages: readonly Shown[],
): readonly Shown[] {
  const rounds: Shown[][] = [];
  for (const message of messages) {
    const round = rounds.at(-1);
    if (message.role === "tool" && round?.[0]?.role === "tool") round.push(message);
    else rounds.push([message]);
  }
  return rounds.flatMap((round) => round.toSorted((one, other) => (one.id < other.id ? -1 : 1)));
}
