// Tasks of other systems' agents, without an execution of the reply that waits for them.
import { REMOTE_CONVERSATION_FOLD } from "../../agent/a2a/remote-conversation-fold.ts";
import { isSilentTooLong, unheardOf, type KeptTask } from "../../agent/mcp/kept-task.ts";
import type { ReplyState } from "../../agent/state/reply-state.ts";
import { equippedAgent } from "../../agent/tools/equipped-agent.ts";
import type { OpenAgentPorts } from "../../a2a/open-remote-agent.ts";
import { egressRules } from "../../outgoing/egress-rules.ts";
import { createOutgoing } from "../../outgoing/outgoing.ts";
import { REMOTE_REQUEST_MS } from "../../protocol/a2a/client-limits.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import type { A2aTool } from "../../protocol/tools/a2a-tool.ts";
import {
  cancelRemoteTask,
  lookAtRemoteTask,
  type RemoteLook,
} from "../../tools/a2a/look-at-remote-task.ts";
import { cancelConversation } from "../../model/a2a/cancel-conversation.ts";
import type { RemoteConversation } from "../../protocol/a2a/remote-conversation.ts";
import type { SessionSettings } from "../settings/session-settings.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import { remoteDepth } from "./remote-calls.ts";

interface RemoteSession {
  readonly settings: SessionSettings;
}

/** Of the reply whose call it is. */
interface RemoteReply {
  readonly state: Pick<ReplyState, "a2a_depth">;
  readonly trace: TraceContext | undefined;
}

/** A task whose tool the session's agent does not have any more is due: its call says so. Never rejects. */
export async function lookAtRemote(
  session: RemoteSession,
  env: Env,
  kept: KeptTask,
  reply: RemoteReply,
): Promise<RemoteLook> {
  try {
    const tool = findTool(session, kept);
    if (!tool) return { task: kept, isDue: true };
    const ports = await openPorts(session, env, reply);
    return await lookAtRemoteTask(tool, kept, ports, AbortSignal.timeout(REMOTE_REQUEST_MS));
  } catch (error) {
    console.error("a task of an agent could not be looked at", { error: String(error) });
    // As a task whose agent does not answer: looked at again later, and not for ever.
    const nowMs = Date.now();
    const task = unheardOf(kept, nowMs);
    return { task, isDue: isSilentTooLong(task, nowMs) };
  }
}

/** An agent that cannot be reached is not told. Never rejects. */
export async function cancelRemote(
  session: RemoteSession,
  env: Env,
  kept: KeptTask,
  reply: RemoteReply,
): Promise<void> {
  try {
    const tool = findTool(session, kept);
    if (!tool) return;
    const ports = await openPorts(session, env, reply);
    await cancelRemoteTask(tool, kept, ports, AbortSignal.timeout(REMOTE_REQUEST_MS));
  } catch (error) {
    console.warn("a task of an agent could not be cancelled", { error: String(error) });
  }
}

interface OpenConversation {
  readonly id: string;
  readonly tables: Pick<SessionTables, "abilities">;
  /** Nothing runs of the reply, so that its model does not cancel the task itself. */
  readonly isWithoutExecution: boolean;
}

/**
 * The task at the agent that gives the reply, which an end of the reply leaves behind: one that waits for a person, or that no
 * execution follows. Null for none, and where the model is at work and cancels it.
 */
export function leftConversation({
  id,
  tables,
  isWithoutExecution,
}: OpenConversation): RemoteConversation | null {
  const conversation = tables.abilities.read(REMOTE_CONVERSATION_FOLD);
  if (conversation?.reply_id !== id || conversation.task_id === null) return null;
  return conversation.is_waiting || isWithoutExecution ? conversation : null;
}

/** Cancels the task of a conversation whose reply has ended. An agent that cannot be reached is not told. Never rejects. */
export async function cancelLeft(
  session: RemoteSession,
  env: Env,
  conversation: RemoteConversation,
  reply: RemoteReply,
): Promise<void> {
  try {
    const { model } = session.settings.replyInit.agent;
    if (model.provider !== "a2a") return;
    const ports = await openPorts(session, env, reply);
    await cancelConversation(model, conversation, ports, AbortSignal.timeout(REMOTE_REQUEST_MS));
  } catch (error) {
    console.warn("a task of an agent could not be cancelled", { error: String(error) });
  }
}

function findTool({ settings }: RemoteSession, { server_id }: KeptTask): A2aTool | null {
  const { tools } = equippedAgent(settings.replyInit);
  const found = tools.find((tool) => tool.type === "a2a" && tool.name === server_id);
  return found?.type === "a2a" ? found : null;
}

async function openPorts(
  { settings }: RemoteSession,
  env: Env,
  { state, trace }: RemoteReply,
): Promise<OpenAgentPorts> {
  const secrets = await settings.openSecrets(await settings.confirmCredentials());
  const outgoing = createOutgoing({ ...egressRules(env), fetch, trace });
  return { outgoing, secrets, depth: remoteDepth(settings.replyInit, state) };
}
