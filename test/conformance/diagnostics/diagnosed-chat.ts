// A conversation with an agent whose model is a real server of the test's, and the diagnostics of its replies.
import { expect, onTestFinished } from "vitest";

import type { ReplyDiagnostics } from "../../../protocol/diagnostics/contract.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { startFakeOpenAi, type FakeTurn } from "../../support/fake-openai.ts";
import {
  createAgent,
  createSession,
  createTenant,
  request,
} from "../../support/platform-client.ts";

export const SECRET = "opensesame-4711-very-secret";

export interface Chat {
  readonly key: string;
  readonly session: string;
  readonly credential: string;
}

/** A session on an agent whose model is a server of this test, with a credential for it. */
export async function openChat(turns: readonly FakeTurn[], agent: object = {}): Promise<Chat> {
  const server = await startFakeOpenAi(...turns);
  onTestFinished(() => server.stop());
  return openChatAt(server.baseUrl, agent);
}

export async function openChatAt(base_url: string, agent: object = {}): Promise<Chat> {
  const { key } = await createTenant();
  const made = await request<{ id: string }>("POST", "/v1/credentials", {
    key,
    body: {
      name: "Model",
      type: "model",
      secret: SECRET,
      allowed_hosts: [new URL(base_url).host],
    },
  });
  const credential = made.body.id;
  const model = { provider: "openai", name: "gpt-fake", base_url, credential_id: credential };
  const id = await createAgent(key, { model, tools: [], ...agent });
  return { key, credential, session: await createSession(key, id) };
}

export async function say({ key, session }: Chat, input = "Hello"): Promise<Reply> {
  const path = `/v1/sessions/${session}/replies`;
  return (await request<Reply>("POST", path, { key, body: { input } })).body;
}

export async function diagnose({ key, session }: Chat, replyId: string): Promise<ReplyDiagnostics> {
  const path = `/v1/sessions/${session}/replies/${replyId}/diagnostics`;
  const { status, body } = await request<ReplyDiagnostics>("GET", path, { key });
  expect(status).toBe(200);
  return body;
}
