// Replies of a session.
import { MAX_QUEUED_REPLIES } from "../../../protocol/replies/limits.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import { ask, openSession } from "../../worker/support/api.ts";
import { countListed } from "../../worker/support/count-listed.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import { openTold } from "../../worker/support/told-session.ts";
import type { ConceptRows } from "../row.ts";
import { ENDED } from "../store-changes.ts";

export const ROWS = {
  // The caller who begins a reply is shown it, with the hints that its model was given.
  createReply: {
    answers: 200,
    body: ({ word }) => ({ input: `Again ${word}` }),
    shows: ["agent", "plan", "state"],
    stores: [
      "~reply_hours",
      "+session.events",
      "+session.messages",
      "+session.replies",
      "~session.session",
      "+session_states",
      "~tenant.days",
      "+tenant.replies",
      "+usage",
      "~usage_days",
    ],
    refusedBy: ["running_replies", "tokens_per_day", "stored_bytes", "database_bytes"],
  },
  listReplies: { answers: 200, isSilent: true, shows: ["agent"] },
  readReply: { answers: 200, isSilent: true, shows: ["agent"] },
  interrupt: {
    answers: 200,
    isSilent: true,
    shows: [],
    hides: ["said"],
    stores: [
      "-pending_calls",
      "+reply_hours",
      "+session.events",
      "~session.messages",
      "~session.replies",
      "~session.tool_calls",
      "~session_states",
      "~usage",
    ],
    bounds: ENDED,
  },
} satisfies ConceptRows;

export const KEYED = {
  async createReply() {
    const { call, path } = await openSession();
    return {
      path: `${path}/replies`,
      call,
      json: { input: "/say hello", background: true },
      other: { input: "/say goodbye", background: true },
      count: () => countListed(`${path}/replies`, call),
    };
  },

  async interrupt() {
    const { call, path } = await openSession();
    const json = { input: "/rate 20\n/words 20000", background: true };
    await ask("POST", `${path}/replies`, { ...call, json });
    return {
      path: `${path}/interrupt`,
      call,
      other: "?queued=drop",
      count: async () => {
        const { json: page } = await ask<Page<{ type: string }>>(
          "GET",
          `${path}/events?limit=100`,
          call,
        );
        return page.data.filter(({ type }) => type === "REPLY_END").length;
      },
    };
  },
} satisfies KeyedRequests;

export async function askAll(api: DocumentedApi): Promise<void> {
  await askForReplies(api);
  await askWhileBusy(api);
}

async function askForReplies(api: DocumentedApi): Promise<void> {
  const { call, place, reply, input } = await openTold();
  const again = { ...input, id: `${input.id}-again` };
  await api.ask("createReply", place, { ...call, json: { input: again } });
  await api.ask("createReply", place, { ...call, json: { input: again, stream: true } });
  await api.ask("createReply", place, { ...call, json: { input: { ...again, content: "No" } } });
  const inJava = { ...place, query: "?format=agentscope-java" };
  await api.ask("createReply", inJava, { ...call, json: { input: again } });
  await api.ask("interrupt", inJava, call);
  await api.ask("createReply", place, {
    ...call,
    json: api.exampleOf("createReply", "pictureInput"),
    headers: { Accept: "text/event-stream" },
  });
  await api.ask("listReplies", { ...place, query: "?limit=1" }, call);
  await api.ask("readReply", { ...place, reply_id: reply.id }, call);
}

async function askWhileBusy(api: DocumentedApi): Promise<void> {
  const model = { provider: "scripted", parameters: { tokens_per_second: 5 } };
  const { call, session } = await openSession({ name: "Slow", model });
  const busy = { session_id: session.id };
  await api.ask("createReply", busy, { ...call, json: { input: "Hi", background: true } });
  await api.ask("createReply", busy, { ...call, json: { input: "Hi again" } });
  const queued = { input: "And then", background: true, on_busy: "queue" };
  for (let count = 0; count <= MAX_QUEUED_REPLIES; count += 1) {
    await api.ask("createReply", busy, { ...call, json: queued });
  }
  await api.ask("readSession", busy, call);
  await api.ask("listReplies", busy, call);
  await api.ask("interrupt", { ...busy, query: "?queued=drop" }, call);
  await api.ask("interrupt", busy, call);
  await api.ask("interrupt", busy, call);
}
