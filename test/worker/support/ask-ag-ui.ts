// Promises of the document to clients of AG-UI, asked of the platform.
import type { Credential } from "../../../protocol/credentials/contract.ts";
import { ask, makeAgent, makeTenant, openSession } from "./api.ts";
import type { DocumentedApi } from "./documented-api.ts";

/** Input by which a reply goes on until it is interrupted, however long the requests before that take. */
const ENDLESS = "/rate 20\n/words 20000";

/** @returns What a client sends with the first message of a thread. */
export function runInput(threadId: string, content: string, runId: string = crypto.randomUUID()) {
  return { threadId, runId, messages: [{ id: `${runId}-message`, role: "user", content }] };
}

export async function askAgUi(api: DocumentedApi): Promise<void> {
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
