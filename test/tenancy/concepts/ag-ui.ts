// Clients of AG-UI, whose requests name their session as a thread. The runs are made anew with each request.
import type { Credential } from "../../../protocol/credentials/contract.ts";
import { ask, makeAgent, makeTenant, openSession } from "../../worker/support/api.ts";
import { ENDLESS } from "../../worker/support/busy-sessions.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import { runInput } from "../../worker/support/run-input.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  runAgUi: {
    answers: 200,
    body: ({ ids, word }) => runInput(ids.session_id, `Again ${word}`),
    places: [
      {
        where: "body threadId",
        id: ({ ids }) => ids.session_id,
        body: (threadId) => runInput(threadId, "Whose is this?"),
        refused: 404,
        // The name of a thread of the caller's own.
        unlike: [200],
      },
    ],
    besides: ["sessions:read"],
    shows: ["plan", "said", "state"],
    stores: [
      "~reply_hours",
      "+session.events",
      "+session.messages",
      "+session.replies",
      "+session.runs",
      "~session.session",
      "+session_states",
      "~tenant.days",
      "+tenant.replies",
      "+usage",
      "~usage_days",
    ],
    refusedBy: ["running_replies", "tokens_per_day", "stored_bytes", "database_bytes"],
  },
  joinAgUi: {
    answers: 200,
    query: ({ ids }) => `thread_id=${ids.session_id}`,
    places: [
      {
        where: "query thread_id",
        id: ({ ids }) => ids.session_id,
        query: (threadId) => `thread_id=${threadId}`,
        refused: 404,
        // In which the caller has said something before, or not.
        unlike: [200, 204],
      },
    ],
    shows: ["plan", "said", "state"],
  },
  readAgUiCapabilities: { answers: 200, shows: ["agent"] },
} satisfies ConceptRows;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call, agent, session } = await openSession();
  const place = { agent_id: agent.id };
  const json = runInput(session.id, "Hello");
  await api.ask("runAgUi", place, { ...call, json });
  for (const id of ["1.x", "999999"]) {
    await api.ask("runAgUi", place, { ...call, json, headers: { "Last-Event-ID": id } });
  }
  await api.ask("joinAgUi", { ...place, query: `?thread_id=${session.id}` }, call);
  await api.ask("joinAgUi", { ...place, query: "?thread_id=nobody" }, call);
  await api.ask("joinAgUi", { ...place, query: "?thread_id=ses_1" }, call);
  for (const after of ["1.x", "999999"]) {
    const query = `?thread_id=${session.id}&after=${after}`;
    await api.ask("joinAgUi", { ...place, query }, call);
  }
  await api.ask("readAgUiCapabilities", place, call);

  const other = { agent_id: (await makeAgent(call)).id };
  await api.ask("runAgUi", other, { ...call, json: runInput(session.id, "Hello") });
  await api.ask("joinAgUi", { ...other, query: `?thread_id=${session.id}` }, call);
  await askWhileBusy(api);
  await askWithoutCredential(api);
}

async function askWhileBusy(api: DocumentedApi): Promise<void> {
  const { call, agent, session, path } = await openSession({ name: "Slow" });
  await ask("POST", `${path}/replies`, { ...call, json: { input: ENDLESS, background: true } });
  const json = runInput(session.id, "And now?");
  await api.ask("runAgUi", { agent_id: agent.id }, { ...call, json });
  await ask("POST", `${path}/interrupt`, call);
}

async function askWithoutCredential(api: DocumentedApi): Promise<void> {
  const { call } = await makeTenant();
  const allowed_hosts = ["api.openai.com"];
  const secret = { name: "Provider", type: "model", secret: "sk-secret", allowed_hosts };
  const { json: credential } = await ask<Credential>("POST", "/v1/credentials", {
    ...call,
    json: secret,
  });
  const model = { provider: "openai", name: "some-model", credential_id: credential.id };
  const agent = await makeAgent(call, { name: "Refund desk", model });
  await ask("DELETE", `/v1/credentials/${credential.id}`, call);
  await api.ask("runAgUi", { agent_id: agent.id }, { ...call, json: runInput("new", "Hello") });
}
