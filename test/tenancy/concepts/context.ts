// Routes on the context of a session: what its next model call is sent, and its compression.
import { CONTEXT_COMPRESSED } from "../../../protocol/context/events.ts";
import { ask, openSession } from "../../worker/support/api.ts";
import { type BusySession, withBusySessions } from "../../worker/support/busy-sessions.ts";
import { countEvents } from "../../worker/support/count-listed.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import { FAILING_TOOL_URL } from "../../worker/support/failing-tool-url.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import { REFUSING_HOOK } from "../../worker/support/refusing-hook.ts";
import { failingSummary, SUMMARISED } from "../../worker/support/summarised-agent.ts";
import { changeTenant } from "../../worker/support/tenant-use.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  readContext: { answers: 200, shows: ["agent", "plan", "said", "skill", "state"] },
  // A short conversation has nothing to summarise.
  // The summary is what was said.
  compress: {
    answers: 200,
    isSilent: true,
    body: () => ({}),
    shows: [],
    hides: ["said"],
    stores: [
      "+session.ability_states",
      "+session.events",
      "~tenant.days",
      "+tenant.replies",
      "+usage",
      "+usage_days",
    ],
    refusedBy: ["running_replies", "tokens_per_day"],
  },
} satisfies ConceptRows;

export const KEYED = {
  async compress() {
    const { call, path } = await openSession({ name: "Desk", ...SUMMARISED });
    await ask("POST", `${path}/observe`, { ...call, json: { messages: "My order is A-1001." } });
    return {
      path: `${path}/compress`,
      call,
      json: {},
      other: { instructions: "Keep the order." },
      count: () => countEvents(path, call, CONTEXT_COMPRESSED),
    };
  },
} satisfies KeyedRequests;

const NOTE = { id: "note-1", name: "shop", content: "The parcel came back today." };

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call, session } = await openSession({ name: "Desk", ...SUMMARISED });
  const place = { session_id: session.id };
  await api.ask("compress", place, { ...call, json: {} });
  await api.ask("observe", place, { ...call, json: { messages: NOTE } });
  await api.ask("compress", place, { ...call, json: { instructions: "Keep the order." } });
  await api.ask("readContext", place, call);
  await askForFailures(api);
  await askForRefusals(api);
  await withBusySessions((busy) => askWhileBusy(api, busy));
}

async function askForFailures(api: DocumentedApi): Promise<void> {
  const { tenantId, call, session } = await openSession({
    name: "Desk",
    ...failingSummary("authentication"),
  });
  const place = { session_id: session.id };
  await api.ask("observe", place, { ...call, json: { messages: NOTE } });
  await api.ask("compress", place, { ...call, json: {} });
  await api.ask("readContext", place, call);
  await changeTenant(tenantId, { quotas: { tokens_per_day: 0 } });
  await api.ask("compress", place, { ...call, json: {} });
}

/** Of hooks before the model call. */
async function askForRefusals(api: DocumentedApi): Promise<void> {
  const { call, session, path } = await openSession({ name: "Desk" });
  const place = { session_id: session.id };
  await ask("POST", `${path}/observe`, { ...call, json: { messages: NOTE } });
  for (const hook of [
    { type: "code", name: REFUSING_HOOK.name, point: "pre_model_call" },
    { type: "http", name: "gone", point: "pre_model_call", url: FAILING_TOOL_URL },
  ]) {
    await ask("PUT", `${path}/hooks`, { ...call, json: { hooks: [hook] } });
    await api.ask("compress", place, { ...call, json: {} });
  }
}

async function askWhileBusy(api: DocumentedApi, { call, place }: BusySession): Promise<void> {
  await api.ask("readContext", place, call);
  await api.ask("compress", place, { ...call, json: {} });
  await api.ask("compress", place, { ...call, json: { on_busy: "queue" } });
}
