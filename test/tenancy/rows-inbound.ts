// Client tokens, callbacks and inbound endpoints in the tenancy suite. What is signed is no key's business: the suites
// of callbacks and inbound webhooks send them across tenants.
import type { INBOUND_ROUTES } from "../../protocol/inbound/routes.ts";
import type { Place, Row } from "./row.ts";

/** Before everything that any tenant has. */
const newest: Place = {
  where: "query page",
  id: () => btoa(`whi_${"z".repeat(26)}`).replaceAll("=", ""),
  query: (page) => `page=${page}`,
  refused: 200,
};

export const INBOUND_ROWS = {
  createClientToken: { answers: 201, isSilent: true, body: () => ({}) },
  listClientTokens: { answers: 200, isSilent: true },
  revokeClientToken: { answers: 204, isSilent: true },
  createStreamTicket: {
    answers: 201,
    isSilent: true,
    body: ({ ids }) => ({ path: `/v1/sessions/${ids.session_id}/events` }),
    places: [
      {
        where: "body path",
        id: ({ ids }) => ids.session_id,
        body: (session_id) => ({ path: `/v1/sessions/${session_id}/events` }),
        refused: 400,
      },
      {
        where: "body path, with an agent",
        id: ({ ids }) => ids.agent_id,
        body: (agent_id) => ({ path: `/v1/agents/${agent_id}/ag-ui?thread_id=t` }),
        refused: 400,
      },
    ],
  },

  readCallback: { answers: 200, isSilent: true },
  /** Nothing waits in the owner's reply. */
  answerCallback: {
    answers: 409,
    isSilent: true,
    body: ({ ids }) => ({
      type: "EXTERNAL_EXECUTION_RESULT",
      reply_id: ids.reply_id,
      execution_results: [{ id: "call_1", output: "done" }],
    }),
  },

  createInboundEndpoint: { answers: 201, body: ({ word }) => ({ name: word }) },
  listInboundEndpoints: { answers: 200, places: [newest] },
  readInboundEndpoint: { answers: 200 },
  deleteInboundEndpoint: { answers: 204, isSilent: true },
  rotateInboundSecret: { answers: 200, body: () => ({}) },
  /** Nobody has signed it, its owner neither. */
  receiveWebhook: {
    answers: 401,
    isSilent: true,
    body: ({ ids }) => ({
      session_id: ids.session_id,
      event: { type: "USER_INTERRUPT", reply_id: ids.reply_id },
    }),
  },
} as const satisfies Record<(typeof INBOUND_ROUTES)[number]["name"], Row>;
