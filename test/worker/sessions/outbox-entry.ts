// An entry of an outbox, complete: a test names only what it is about.
import { announcedCall } from "../../../storage/outbox/announced-call.ts";
import type { OutboxEntry } from "../../../storage/outbox/deliver-outbox.ts";

const AT = "2026-03-01T12:00:00.000Z";

export function makeEntry(
  session: { readonly tenantId: string; readonly id: string; readonly agent_id: string },
  changes: Partial<OutboxEntry> = {},
): OutboxEntry {
  return {
    tenant_id: session.tenantId,
    session_id: session.id,
    agent_id: session.agent_id,
    agent_version: 1,
    end_user_id: null,
    reply_id: "rep_1",
    entry: 1,
    reply_status: "completed",
    session_status: "idle",
    pending: [],
    calls: (changes.pending ?? []).map(announcedCall),
    decisions: [],
    origin: null,
    cursor: 9,
    bytes: 0,
    at: AT,
    error: null,
    timings: null,
    first_words: null,
    counted_from: "",
    usage: null,
    cost: null,
    model_name: "m",
    ...changes,
  };
}

export function makeUsage(input_tokens: number, output_tokens = 0) {
  return { input_tokens, output_tokens, cache_input_tokens: 0, cache_creation_input_tokens: 0 };
}
