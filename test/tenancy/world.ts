// A tenant with something of everything, and a word of its own in every text: where the word turns up, the tenant
// has been seen. Behind the word stands the kind of the text, so that it can be told what of the tenant was seen.
import { env } from "cloudflare:workers";
import { inject } from "vitest";

import type { Agent } from "../../protocol/agents/contract.ts";
import type { CreatedApiKey } from "../../protocol/keys/contract.ts";
import type { ClientToken } from "../../protocol/client-tokens/contract.ts";
import type { FileLink, StoredFile } from "../../protocol/files/contract.ts";
import type { InboundEndpoint } from "../../protocol/inbound/contract.ts";
import type { InvitedMember } from "../../protocol/members/contract.ts";
import type { MemoryConsolidation } from "../../protocol/memory/consolidation.ts";
import type { Memory, MemoryStoreRecord } from "../../protocol/memory/contract.ts";
import type { McpServer } from "../../protocol/mcp/contract.ts";
import type { SessionRule } from "../../protocol/permission/contract.ts";
import type { SignInProvider } from "../../protocol/sign-in-providers/contract.ts";
import type { TokenIssuer } from "../../protocol/token-issuers/contract.ts";
import type { Credential } from "../../protocol/credentials/contract.ts";
import type { Reply } from "../../protocol/replies/contract.ts";
import type { AgentState } from "../../protocol/sessions/session-state.ts";
import type { Session } from "../../protocol/sessions/contract.ts";
import type { Skill } from "../../protocol/skills/contract.ts";
import type { CreatedTenant } from "../../protocol/tenants/contract.ts";
import { grantStorage } from "../../storage/mcp/grant-storage.ts";
import { noteMcpServer } from "../../storage/mcp/note-mcp-server.ts";
import { deliverOutbox } from "../../storage/outbox/deliver-outbox.ts";
import { makePending } from "../worker/confirmations/pending-call.ts";
import { ask, OPERATOR } from "../worker/support/api.ts";
import { addWorkingTask } from "../worker/support/working-task.ts";
import { HeldQueue, makeEndpoint } from "../worker/webhooks/endpoint.ts";
import { stableId } from "../../storage/statements/stable-id.ts";
import { waitUntil } from "../support/wait-for.ts";
import { publishWebhooks } from "../../storage/webhooks/webhook-publisher.ts";
import { addA2aTask, remotePushToken } from "./add-a2a-task.ts";
import { addRoom } from "./add-room.ts";
import { addTrigger } from "./add-trigger.ts";
import { callbackToken } from "./callback-token.ts";
import { agentOf, catalogueOf, credential } from "./definitions.ts";

/** An id for each parameter that a path can have. */
export interface PathIds {
  readonly tenant_id: string;
  readonly key_id: string;
  readonly credential_id: string;
  readonly agent_id: string;
  readonly version: string;
  readonly skill_id: string;
  readonly session_id: string;
  readonly reply_id: string;
  readonly message_id: string;
  readonly rule_id: string;
  readonly token_id: string;
  readonly callback_token: string;
  readonly hook_name: string;
  readonly task_id: string;
  readonly task_token: string;
  readonly inbound_endpoint_id: string;
  readonly endpoint_id: string;
  readonly delivery_id: string;
  readonly file_id: string;
  readonly mcp_server_id: string;
  readonly mcp_tool_name: string;
  readonly link_token: string;
  readonly tool_name: string;
  readonly token_issuer_id: string;
  readonly member_id: string;
  readonly sign_in_provider_id: string;
  readonly end_user_id: string;
  readonly memory_store_id: string;
  readonly memory_id: string;
  readonly memory_version_id: string;
  readonly consolidation_id: string;
  readonly room_id: string;
  readonly room_token_id: string;
  readonly participant_name: string;
  readonly trigger_id: string;
  readonly trigger_run_id: string;
  readonly trigger_token: string;
  readonly a2a_task_id: string;
  readonly a2a_config_id: string;
  readonly remote_push_token: string;
}

/** Kinds of texts, as they stand behind the word: `w1-said` is in what was said in the tenant's session. */
export type Kind =
  | "agent"
  | "call"
  | "credential"
  | "endpoint"
  | "file"
  | "hook"
  | "issuer"
  | "key"
  | "member"
  | "memory"
  | "plan"
  | "provider"
  | "room"
  | "rule"
  | "said"
  | "server"
  | "session"
  | "skill"
  | "state"
  | "tenant"
  | "trigger"
  | "usage"
  | "user";

export interface World {
  readonly ids: PathIds;
  /** In every name, text, label and secret of this tenant, and in nothing else. */
  readonly word: string;
  /** Holds every scope. */
  readonly call: { readonly key: string };
  /** A key of its own, whose id is in `ids`: what is done to it does not shut the caller out. */
  readonly spareKey: string;
  readonly model_credential_id: string;
  /** The session as it goes out. */
  readonly state: object;
  /** Of the call that D1 lists as waiting. */
  readonly waiting_call_id: string;
}

export async function makeWorld(): Promise<World> {
  const word = `w${crypto.randomUUID().replaceAll("-", "")}`;
  const tenant = await post<CreatedTenant>("/v1/tenants", OPERATOR, {
    name: `Tenant ${word}-tenant`,
    metadata: { word: `${word}-tenant` },
  });
  const call = { key: tenant.api_key };
  const spare = await post<CreatedApiKey>("/v1/api-keys", call, { name: `Key ${word}-key` });
  const [tool, model] = [
    await post<Credential>("/v1/credentials", call, credential("tool", word)),
    await post<Credential>("/v1/credentials", call, credential("model", word)),
  ];
  const skill = await post<Skill>("/v1/skills", call, {
    files: [
      {
        path: "SKILL.md",
        text: `---\nname: ${word}\ndescription: Skill ${word}-skill\n---\n${word}-skill`,
      },
    ],
  });
  const agent = await post<Agent>("/v1/agents", call, agentOf(word, tool.id, skill.id));
  const end_user_id = endUserOf(word);
  const session = await post<Session>("/v1/sessions", call, {
    agent_id: agent.id,
    end_user_id,
    metadata: { word: `${word}-session` },
  });
  const message_id = `message-${word}`;
  const reply = await post<Reply>(`/v1/sessions/${session.id}/replies`, call, {
    input: { id: message_id, content: `Hello from ${word}-said` },
  });
  await ask("PATCH", `/v1/sessions/${session.id}/shared-state`, {
    ...call,
    json: [{ op: "add", path: "/first", value: `${word}-state` }],
  });
  await ask("PUT", `/v1/sessions/${session.id}/plan`, {
    ...call,
    json: { plan: { name: `${word}-plan`, subtasks: [{ name: `${word}-plan` }] } },
  });
  // Its replies make no calls, so nothing is sent.
  const url = `https://${word}.example/${word}-hook`;
  const hook = { type: "http", name: word, point: "post_acting", url };
  await ask("PUT", `/v1/sessions/${session.id}/hooks`, { ...call, json: { hooks: [hook] } });
  const waiting_call_id = `call-${word}`;
  await deliverUsage({ tenant, session, reply, word, waiting_call_id });
  const rules = await post<{ data: readonly SessionRule[] }>(
    `/v1/sessions/${session.id}/permission-rules`,
    call,
    { rules: [{ tool_name: word, rule_content: `rule ${word}-rule`, behavior: "ask" }] },
  );
  const token = await post<ClientToken>(`/v1/sessions/${session.id}/tokens`, call, {});
  const inbound = await post<InboundEndpoint>("/v1/inbound-endpoints", call, {
    name: `Endpoint ${word}-endpoint`,
  });
  const mcp = await post<McpServer>("/v1/mcp-servers", call, {
    name: `n${word.slice(0, 20)}`,
    // Its port is not open.
    url: `http://localhost:1/${word}-server`,
  });
  await noteMcpServer(
    env.DB,
    { tenant_id: tenant.id, server_id: mcp.id, version: 1, end_user_id: "" },
    catalogueOf(word),
  );
  const endpoint = await makeEndpoint(call, {
    url: `${inject("webhookReceiverUrl")}/${word}/200`,
    description: `Endpoint ${word}-endpoint`,
    events: ["session.deleted"],
  });
  const issuer = await post<TokenIssuer>("/v1/token-issuers", call, {
    name: `Issuer ${word}-issuer`,
    issuer: "https://login.example",
    jwks_url: "https://login.example/keys",
  });
  const member = await post<InvitedMember>("/v1/members", call, {
    name: `Member ${word}-member`,
    role: "viewer",
  });
  const provider = await post<SignInProvider>("/v1/sign-in-providers", call, {
    name: `Provider ${word}-provider`,
    issuer: `${inject("oidcServerUrl")}/tenancy`,
    client_id: "reprise-console",
  });
  const ids = {
    tenant_id: tenant.id,
    member_id: member.id,
    sign_in_provider_id: provider.id,
    key_id: spare.id,
    credential_id: tool.id,
    agent_id: agent.id,
    version: "1",
    skill_id: skill.id,
    tool_name: word,
    session_id: session.id,
    reply_id: reply.id,
    message_id,
    hook_name: word,
    rule_id: rules.data[0]?.id ?? "",
    token_id: token.id,
    callback_token: await callbackToken(tenant, reply),
    ...(await addWorkingTask(
      { tenant_id: tenant.id, session_id: session.id, reply_id: reply.id },
      `tool-${word}-agent`,
    )),
    inbound_endpoint_id: inbound.id,
    token_issuer_id: issuer.id,
    endpoint_id: endpoint.id,
    delivery_id: await publishTo(tenant.id, { session, word }),
    ...(await addFile(call, session, word)),
    ...(await addMemory(call, agent.id, word)),
    ...(await addRoom(call, { agent_id: agent.id, end_user_id, word })),
    ...(await addTrigger({ id: tenant.id, call }, agent.id, word)),
    ...(await addA2aTask(call, agent.id, word)),
    remote_push_token: await remotePushToken({ tenant_id: tenant.id, session_id: session.id }),
    mcp_server_id: mcp.id,
    mcp_tool_name: `tool-${word}`,
    connection_id: await addConnection(tenant.id, mcp.id, end_user_id),
    end_user_id,
  };
  return {
    ids,
    word,
    call,
    spareKey: spare.api_key,
    model_credential_id: model.id,
    waiting_call_id,
    state: (await ask<AgentState>("GET", `/v1/sessions/${session.id}/state`, call)).json,
  };
}

function endUserOf(word: string): string {
  return `end-${word}-user`;
}

/** A sign-in that has begun. @returns its id. */
async function addConnection(
  tenant_id: string,
  mcp_server_id: string,
  end_user_id: string,
): Promise<string> {
  const owner = { tenant_id, mcp_server_id, server_version: 1, end_user_id };
  return (await grantStorage(env, owner, () => undefined).ensure("{}")).id;
}

/** A message that waits for the tenant's endpoint, and goes on waiting: no queue knows of it. @returns its id. */
async function publishTo(
  tenantId: string,
  { session, word }: { session: Session; word: string },
): Promise<string> {
  const held = new HeldQueue();
  const timestamp = new Date().toISOString();
  const data = {
    session_id: session.id,
    agent_id: session.agent_id,
    end_user_id: endUserOf(word),
  };
  const id = await stableId("whm", Date.parse(timestamp), word);
  await publishWebhooks({ ...env, WEBHOOK_QUEUE: held.binding }, tenantId, [
    { id, event: { type: "session.deleted", timestamp, data } },
  ]);
  return held.take()[0]?.delivery_id ?? "";
}

/** A memory of the end user, in the store of the agent, and a consolidation that has ended. */
async function addMemory(call: { key: string }, agent_id: string, word: string) {
  const json = { agent_id, end_user_id: endUserOf(word) };
  const store = await post<MemoryStoreRecord>("/v1/memory-stores", call, json);
  const memory = await post<Memory>(`/v1/memory-stores/${store.id}/memories`, call, {
    content: `Remembers ${word}-memory`,
  });
  const jobs = `/v1/memory-stores/${store.id}/consolidations`;
  const { id: consolidation_id } = await post<MemoryConsolidation>(jobs, call, {
    instructions: `Leave ${word}-memory alone.`,
  });
  await waitUntil(async () => {
    const { json: job } = await ask<MemoryConsolidation>(
      "GET",
      `${jobs}/${consolidation_id}`,
      call,
    );
    return job.ended_at ?? undefined;
  });
  return {
    consolidation_id,
    memory_store_id: store.id,
    memory_id: memory.id,
    memory_version_id: memory.version_id,
  };
}

/** A file of the session, and a link to it. */
async function addFile(call: { key: string }, session: Session, word: string) {
  const { json: file } = await ask<StoredFile>(
    "POST",
    `/v1/files?session_id=${session.id}&filename=${word}-file`,
    { ...call, body: `A file of ${word}-file` },
  );
  const { url } = await post<FileLink>(`/v1/files/${file.id}/links`, call, {});
  return { file_id: file.id, link_token: url.slice(url.lastIndexOf("/") + 1) };
}

interface Finished {
  readonly tenant: CreatedTenant;
  readonly session: Session;
  readonly reply: Reply;
  readonly word: string;
  readonly waiting_call_id: string;
}

async function deliverUsage({
  tenant,
  session,
  reply,
  word,
  waiting_call_id,
}: Finished): Promise<void> {
  await deliverOutbox(env.DB, [
    {
      tenant_id: tenant.id,
      session_id: session.id,
      agent_id: session.agent_id,
      agent_version: 1,
      end_user_id: session.end_user_id,
      reply_id: reply.id,
      entry: Number.MAX_SAFE_INTEGER,
      reply_status: "completed",
      session_status: "awaiting_permission",
      timings: { first_output_ms: 300, waits: [] },
      first_words: word,
      counted_from: "",
      calls: [],
      pending: [makePending(waiting_call_id, {}, JSON.stringify({ word: `${word}-call` }))],
      decisions: [
        {
          seq: 1,
          position: 0,
          reply_id: reply.id,
          tool_call_id: waiting_call_id,
          tool_name: word,
          behavior: "ask",
          reason: `${word}-call`,
          rule: null,
          decided_by: { kind: "platform", id: null },
          is_edited: false,
          decided_at: new Date().toISOString(),
        },
      ],
      origin: null,
      cursor: reply.cursor,
      bytes: 0,
      at: new Date().toISOString(),
      error: null,
      usage: {
        input_tokens: 1,
        output_tokens: 2,
        cache_input_tokens: 3,
        cache_creation_input_tokens: 4,
      },
      cost: 5,
      model_name: `model-${word}-usage`,
    },
  ]);
}

async function post<Body>(path: string, call: { key: string }, json: object): Promise<Body> {
  const { status, json: body, text } = await ask<Body>("POST", path, { ...call, json });
  if (status >= 300) throw new Error(`POST ${path} answered ${status}: ${text}`);
  return body;
}
