import { readCard } from "../../../a2a/cards/read-card.ts";
import { openRemoteClient } from "../../../a2a/client/open-remote-client.ts";
import type { RemoteAgentClient, RemotePorts } from "../../../a2a/client/remote-client.ts";
import {
  followRemoteTask,
  type RemoteStart,
  type RemoteStep,
} from "../../../a2a/client/follow-remote-task.ts";

/** A client of the agent with this card, without a sign-in. */
export function openClient(card: unknown, ports: Partial<RemotePorts> = {}): RemoteAgentClient {
  const read = readCard(card as Record<string, unknown>, null);
  if (!read.ok) throw new Error(JSON.stringify(read));
  const authorization = {
    authorize: () => Promise.resolve({ ok: true, headers: {}, secrets: [] } as const),
  };
  return openRemoteClient(read.card, { outgoing: fetch, authorization, ...ports });
}

/** A message with a text, as a start. */
export function message(text: string, about: object = {}): RemoteStart {
  const given = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }] } as const;
  return { type: "message", message: { ...given, ...about } };
}

/** All steps of one message, or task. */
export async function follow(
  client: RemoteAgentClient,
  start: RemoteStart,
  settings: { readonly stop?: AbortSignal; readonly silenceMs?: number } = {},
): Promise<readonly RemoteStep[]> {
  const steps: RemoteStep[] = [];
  const { stop = new AbortController().signal, ...rest } = settings;
  for await (const step of followRemoteTask(client, start, { stop, ...rest })) steps.push(step);
  return steps;
}

/** The steps in short: states, texts of artifacts, and the kind of the end. */
export function shapeOf(steps: readonly RemoteStep[]): readonly string[] {
  return steps.map((step) => {
    if (step.type === "failed") return `failed: ${step.failure.kind}`;
    if (step.type !== "update") return step.type;
    const { task, statusUpdate, artifactUpdate, message: said } = step.response;
    const texts = (parts: readonly { readonly text?: string }[] = []) =>
      parts.map(({ text = "?" }) => text).join("");
    if (task) {
      const all = (task.artifacts ?? []).map(({ parts }) => texts(parts)).join("|");
      return `task ${task.status.state.slice(11)}${all && ` [${all}]`}`;
    }
    if (statusUpdate) {
      const { state, message: words } = statusUpdate.status;
      return `status ${state.slice(11)}${words ? ` ${texts(words.parts)}` : ""}`;
    }
    return artifactUpdate
      ? `artifact ${texts(artifactUpdate.artifact.parts)}`
      : `message ${texts(said?.parts)}`;
  });
}
