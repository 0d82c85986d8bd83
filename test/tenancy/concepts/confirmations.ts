// Calls that wait for a person, of all sessions of a tenant.
import { MESSAGE_FORMATS } from "../../../protocol/dialects/dialects.ts";
import { countEvents } from "../../worker/support/count-listed.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import { confirmation, openParked } from "../../worker/support/parked-session.ts";
import { inQuery } from "../places.ts";
import type { ConceptRows } from "../row.ts";
import { ENDED } from "../store-changes.ts";

export const ROWS = {
  listConfirmations: {
    answers: 200,
    places: [
      inQuery("agent_id", ({ ids }) => ids.agent_id),
      inQuery("session_id", ({ ids }) => ids.session_id),
      inQuery("end_user_id", ({ ids }) => ids.end_user_id),
      inQuery("tool_name", ({ word }) => word),
      inQuery("page", () => btoa(JSON.stringify(["", "", ""])).replaceAll("=", "")),
    ],
    shows: ["call", "user"],
  },
  answerConfirmations: {
    answers: 200,
    isSilent: true,
    body: ({ ids }) => ({
      answers: [
        { session_id: ids.session_id, event: { type: "USER_INTERRUPT", reply_id: ids.reply_id } },
      ],
    }),
    places: [
      {
        where: "body answers.0.session_id",
        id: ({ ids }) => ids.session_id,
        body: (session_id) => ({
          answers: [{ session_id, event: { type: "USER_INTERRUPT", reply_id: "rep_1" } }],
        }),
        refused: 200,
      },
    ],
    shows: [],
    hides: ["said"],
    stores: [
      "-pending_calls",
      "+reply_hours",
      "+session.events",
      "+session.idempotency_keys",
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
  async answerConfirmations() {
    const { call, path, session, reply, pending } = await openParked();
    const answer = (confirmed: boolean) => ({
      answers: [{ session_id: session.id, event: confirmation(reply, pending, { confirmed }) }],
    });
    return {
      path: "/v1/confirmations",
      call,
      json: answer(true),
      other: answer(false),
      count: () => countEvents(path, call, "USER_CONFIRM_RESULT"),
    };
  },
} satisfies KeyedRequests;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call, session, reply, pending } = await openParked();
  await api.ask("listConfirmations", { query: "?kind=permission&limit=1" }, call);
  for (const format of MESSAGE_FORMATS) {
    const query = `?format=${format}`;
    await api.ask("listConfirmations", { query }, call);
    // A reply that waits.
    await api.ask("readReply", { session_id: session.id, reply_id: reply.id, query }, call);
  }
  const event = confirmation(reply, pending);
  const json = {
    answers: [
      { session_id: session.id, event },
      { session_id: "ses_1", event },
    ],
  };
  await api.ask("answerConfirmations", {}, { ...call, json });
}
