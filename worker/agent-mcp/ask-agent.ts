// `ask_…`: a message of the user, in a conversation that continues or in a new one.
import type * as z from "zod";

import type { Session } from "../../protocol/sessions/contract.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { formatId, ID_RANDOM_BYTES, TIMELESS_ID_MS } from "../../protocol/ids.ts";
import type { AskArgumentsSchema } from "../../protocol/agent-mcp/agent-tools.ts";
import { failedCall } from "../../protocol/agent-mcp/to-call-result.ts";
import { deriveKey } from "../../storage/secrets/derive-key.ts";
import { threadKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { actorOf } from "../auth/actor.ts";
import { requireScope } from "../auth/require-scope.ts";
import { inBackground } from "../in-background.ts";
import { newId } from "../new-id.ts";
import { tenantOf } from "../principal.ts";
import { createSession } from "../sessions/create-session.ts";
import { ofSender } from "../requests/sender-of.ts";
import { sessionStub } from "../objects/session-stub.ts";
import { endUserOf, findConversation } from "./find-conversation.ts";
import { done, follow, type BegunCall, type ServedCall } from "./served-call.ts";
import { describeRefusal } from "./describe-refusal.ts";
import { noteOrCancel } from "./cancelled-calls.ts";
import { keepReply } from "./left-calls.ts";
import { requireVerb } from "./require-verb.ts";

type AskArguments = z.output<typeof AskArgumentsSchema>;

export async function askAgent(call: ServedCall, asked: AskArguments): Promise<BegunCall> {
  const { context, idempotencyKey } = call;
  requireVerb(context, "reply");
  const session = await findOrOpen(call, asked.session_id);
  if (!session.ok) return done(failedCall(describeRefusal(session.refusal)));
  const stub = sessionStub(context.env, tenantOf(context), session.value.id);
  const started = await stub.act(
    "startReply",
    { input: asked.message, on_busy: "reject" },
    {
      actor: actorOf(context.get("principal")),
      trace: context.get("trace"),
      ...(idempotencyKey !== undefined && {
        idempotency: {
          key: `mcp ${ofSender(context.get("principal"), idempotencyKey)}`,
          former_key: `mcp ${idempotencyKey}`,
          fingerprint: await hashOf([endUserOf(context), asked]),
        },
      }),
    },
  );
  if (!started.ok) {
    const { id } = session.value;
    return done(failedCall(`${describeRefusal(started.refusal)} (session_id ${id})`));
  }
  inBackground("MCP: noting a call", noteOrCancel(call, started.value));
  // A repeated call: its client may have left the first one.
  if (idempotencyKey !== undefined) await keepReply(call, started.value, true);
  return follow(started.value, { owns: true });
}

async function findOrOpen(
  call: ServedCall,
  sessionId: string | undefined,
): Promise<Result<Pick<Session, "id">>> {
  const { context, agent } = call;
  if (sessionId !== undefined) return findConversation(context, agent.id, sessionId);
  if (context.get("principal").kind === "tenant") {
    requireScope(context, "sessions:write", "a new conversation");
  }
  const { agents, sessions } = tenantStorage(context.env.DB, tenantOf(context));
  const id = call.idempotencyKey === undefined ? newId("ses") : await keyedSessionId(call);
  if (call.idempotencyKey !== undefined && (await sessions.findRemoval(id))) {
    return refuse("conflict", "the session of this key is being erased; use another key");
  }
  const current = await agents.read(agent.id);
  if (!current) return refuse("not_found", "the agent was deleted");
  const endUserId = endUserOf(context);
  const settings = { session_id: id, ...(endUserId !== null && { end_user_id: endUserId }) };
  return accept(await createSession(context, current, settings));
}

/**
 * The id of the session that a request with this key opens: the same each time, so that a repeated request finds it
 * without a look-up, and no client can guess it.
 */
async function keyedSessionId({ context, agent, idempotencyKey }: ServedCall): Promise<string> {
  const key = await deriveKey(threadKeyOf(context.env), "reprise:mcp-session");
  const parts = [tenantOf(context), agent.id, endUserOf(context), idempotencyKey];
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  const signature = await crypto.subtle.sign("HMAC", key, bytes);
  return formatId("ses", TIMELESS_ID_MS, new Uint8Array(signature, 0, ID_RANDOM_BYTES));
}

async function hashOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
