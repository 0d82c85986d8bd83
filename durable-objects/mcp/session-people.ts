// The people of a session, for the calls of one execution that ask for input.
import type { StopSignal } from "../../agent/ports.ts";
import type { InputResponses } from "../../protocol/mcp/events.ts";
import type { KeptRequest, McpPeople } from "../../tools/mcp/mcp-people.ts";
import type { CallTable } from "../tables/call-table.ts";

export interface SessionPeopleContext {
  readonly reply: {
    untilAnswered(callId: string, stop: StopSignal): Promise<InputResponses | null>;
  };
  readonly log: { settled(): Promise<void> };
  readonly tables: { readonly calls: CallTable };
}

export function sessionPeople(
  { reply, log, tables }: SessionPeopleContext,
  callId: string,
  ttlMs: number,
): McpPeople {
  return {
    ttlMs,
    keep: (request) => tables.calls.keep(callId, JSON.stringify(request)),
    kept() {
      const kept = tables.calls.kept(callId);
      return kept === null ? null : (JSON.parse(kept) as KeptRequest);
    },
    async untilAnswered(stop: StopSignal) {
      const responses = await reply.untilAnswered(callId, stop);
      // No server learns what a crash could take back.
      if (responses) await log.settled();
      return stop.aborted ? null : responses;
    },
  };
}
