// A tenant with something of everything, and a word of its own in every text: where the word turns up, the tenant
// has been seen.
import { env } from "cloudflare:workers";

import type { Agent } from "../../protocol/api/agents.ts";
import type { CreatedApiKey } from "../../protocol/api/api-keys.ts";
import type { Credential } from "../../protocol/api/credentials.ts";
import type { Reply } from "../../protocol/api/replies.ts";
import type { Session } from "../../protocol/api/sessions.ts";
import type { CreatedTenant } from "../../protocol/api/tenants.ts";
import { deliverOutbox } from "../../storage/outbox-storage.ts";
import { ask, OPERATOR } from "../worker/support/api.ts";

/** An id for each parameter that a path can have. */
export interface PathIds {
  readonly tenant_id: string;
  readonly key_id: string;
  readonly credential_id: string;
  readonly agent_id: string;
  readonly version: string;
  readonly session_id: string;
  readonly reply_id: string;
  readonly message_id: string;
}

export interface World {
  readonly ids: PathIds;
  /** In every name, text, label and secret of this tenant, and in nothing else. */
  readonly word: string;
  /** Holds every scope. */
  readonly call: { readonly key: string };
  /** A key of its own, whose id is in `ids`: what is done to it does not shut the caller out. */
  readonly spareKey: string;
  readonly end_user_id: string;
  readonly model_credential_id: string;
}

export async function makeWorld(): Promise<World> {
  const word = `w${crypto.randomUUID().replaceAll("-", "")}`;
  const tenant = await post<CreatedTenant>("/v1/tenants", OPERATOR, {
    name: `Tenant ${word}`,
    metadata: { word },
  });
  const call = { key: tenant.api_key };
  const spare = await post<CreatedApiKey>("/v1/api-keys", call, { name: `Key ${word}` });
  const [tool, model] = [
    await post<Credential>("/v1/credentials", call, credential("tool", word)),
    await post<Credential>("/v1/credentials", call, credential("model", word)),
  ];
  const agent = await post<Agent>("/v1/agents", call, agentOf(word, tool.id));
  const end_user_id = `end-user-${word}`;
  const session = await post<Session>("/v1/sessions", call, {
    agent_id: agent.id,
    end_user_id,
    metadata: { word },
  });
  const message_id = `message-${word}`;
  const reply = await post<Reply>(`/v1/sessions/${session.id}/replies`, call, {
    input: { id: message_id, content: `Hello from ${word}` },
  });
  await deliverUsage({ tenant, session, reply, word });
  const ids = {
    tenant_id: tenant.id,
    key_id: spare.id,
    credential_id: tool.id,
    agent_id: agent.id,
    version: "1",
    session_id: session.id,
    reply_id: reply.id,
    message_id,
  };
  return {
    ids,
    word,
    call,
    spareKey: spare.api_key,
    end_user_id,
    model_credential_id: model.id,
  };
}

function credential(type: "model" | "tool", word: string) {
  return { name: `Credential ${word}`, type, secret: `secret-${word}` };
}

function agentOf(word: string, credential_id: string) {
  const tool = {
    type: "http",
    name: word,
    description: `Tool ${word}`,
    url: `https://${word}.example/`,
    headers: { "X-Word": word },
    credential_id,
  };
  return {
    name: `Agent ${word}`,
    system_prompt: `You are ${word}`,
    tools: [tool],
    metadata: { word },
  };
}

interface Finished {
  readonly tenant: CreatedTenant;
  readonly session: Session;
  readonly reply: Reply;
  readonly word: string;
}

async function deliverUsage({ tenant, session, reply, word }: Finished): Promise<void> {
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
      pending: 0,
      cursor: reply.cursor,
      at: new Date().toISOString(),
      messages: reply.message ? [reply.message] : [],
      usage: {
        input_tokens: 1,
        output_tokens: 2,
        cache_input_tokens: 3,
        cache_creation_input_tokens: 4,
      },
      model_name: `model-${word}`,
    },
  ]);
}

async function post<Body>(path: string, call: { key: string }, json: object): Promise<Body> {
  const { status, json: body, text } = await ask<Body>("POST", path, { ...call, json });
  if (status >= 300) throw new Error(`POST ${path} answered ${status}: ${text}`);
  return body;
}
