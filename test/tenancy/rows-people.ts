// The rows of answers from outside, permission rules and what waits.
import type { Place, Row } from "./row.ts";

/** A filter of a list, which is empty for what another tenant has. */
export function inQuery(name: string, id: Place["id"]): Place {
  return { where: `query ${name}`, id, query: (value) => `${name}=${value}`, refused: 200 };
}

function interrupt(reply_id: string) {
  return { type: "USER_INTERRUPT", reply_id };
}

function confirmation(reply_id: string, id: string) {
  return {
    type: "USER_CONFIRM_RESULT",
    reply_id,
    confirm_results: [{ confirmed: true, tool_call: { id } }],
  };
}

export const PEOPLE_ROWS = {
  postEvent: {
    answers: 202,
    isSilent: true,
    body: ({ ids }) => interrupt(ids.reply_id),
    places: [
      {
        where: "body reply_id",
        id: ({ ids }) => ids.reply_id,
        body: (reply_id) => confirmation(reply_id, "call_1"),
        refused: 409,
      },
      {
        where: "body tool_call.id",
        id: ({ waiting_call_id }) => waiting_call_id,
        body: (id) => confirmation("rep_1", id),
        refused: 409,
      },
    ],
  },
  listPermissionRules: { answers: 200 },
  createPermissionRules: {
    answers: 201,
    body: ({ word }) => ({
      rules: [{ tool_name: word, rule_content: `more ${word}`, behavior: "ask" }],
    }),
  },
  deletePermissionRule: { answers: 204, isSilent: true },
  testPermissionRules: { answers: 200, isSilent: true, body: ({ word }) => ({ tool_name: word }) },
  listDecisions: { answers: 200, isSilent: true },
  listTenantDecisions: {
    answers: 200,
    places: [
      inQuery("agent_id", ({ ids }) => ids.agent_id),
      inQuery("session_id", ({ ids }) => ids.session_id),
      inQuery("end_user_id", ({ end_user_id }) => end_user_id),
      inQuery("tool_name", ({ word }) => word),
    ],
  },
  listConfirmations: {
    answers: 200,
    places: [
      inQuery("agent_id", ({ ids }) => ids.agent_id),
      inQuery("session_id", ({ ids }) => ids.session_id),
      inQuery("end_user_id", ({ end_user_id }) => end_user_id),
      inQuery("tool_name", ({ word }) => word),
      inQuery("page", () => btoa(JSON.stringify(["", "", ""])).replaceAll("=", "")),
    ],
  },
  answerConfirmations: {
    answers: 200,
    isSilent: true,
    body: ({ ids }) => ({
      answers: [{ session_id: ids.session_id, event: interrupt(ids.reply_id) }],
    }),
    places: [
      {
        where: "body answers.0.session_id",
        id: ({ ids }) => ids.session_id,
        body: (session_id) => ({ answers: [{ session_id, event: interrupt("rep_1") }] }),
        refused: 200,
      },
    ],
  },
} as const satisfies Readonly<Record<string, Row>>;
