import { hintFor } from "../../agent/explain-failure.ts";
import type { OpenAgentPorts } from "../../a2a/open-remote-agent.ts";
import { resolveCard } from "../../a2a/cards/resolve-card.ts";
import type { ResolvedCard } from "../../a2a/cards/resolved-card.ts";
import type { RemoteAgent } from "../../protocol/a2a/remote-agent.ts";
import { MAX_SHOWN_CARD_CHARACTERS, MAX_SHOWN_SKILLS } from "../../protocol/a2a/remote-limits.ts";
import type { RemoteAgentView } from "../../protocol/agents/remote-agents.ts";

type Found = Pick<RemoteAgentView, "card" | "failure">;

/** The agent's card as people are shown it. The agent itself is asked nothing. Contract: never rejects. */
export async function viewRemoteAgent(
  agent: RemoteAgent,
  ports: Pick<OpenAgentPorts, "outgoing" | "secrets">,
  signal: AbortSignal,
): Promise<Found> {
  const resolved = await resolveCard(agent, ports, signal);
  if (resolved.ok) {
    // A card that none of the keys has signed is a failure.
    const is_signed = agent.pinned_keys ? true : null;
    return { card: { ...shortCard(resolved.card), is_signed }, failure: null };
  }
  const { kind, reason: note, http_status = null } = resolved;
  const party = { name: "The agent", isModel: false, credential_id: null };
  return { card: null, failure: { kind, http_status, note, hint: hintFor({ kind }, party) } };
}

/** The place that a definition has the card from. */
export function sourceOf({
  card,
}: Pick<RemoteAgent, "card">): Pick<RemoteAgentView, "source" | "source_name"> {
  if ("url" in card) return { source: "url", source_name: card.url };
  if ("file" in card) return { source: "file", source_name: card.file };
  if ("nacos" in card) return { source: "nacos", source_name: card.nacos.name };
  return { source: "inline", source_name: null };
}

function shortCard(card: ResolvedCard): Omit<NonNullable<Found["card"]>, "is_signed"> {
  const [{ url, version, binding }] = card.interfaces;
  return {
    name: short(card.name),
    description: short(card.description),
    version: short(card.version),
    protocol_version: version,
    binding,
    url,
    streaming: card.capabilities.streaming === true,
    push_notifications: card.capabilities.pushNotifications === true,
    skills: card.skills.slice(0, MAX_SHOWN_SKILLS).map(({ id, name, description }) => ({
      id: short(id),
      name: short(name),
      description: short(description),
    })),
    skill_count: card.skills.length,
  };
}

function short(text: string): string {
  return text.slice(0, MAX_SHOWN_CARD_CHARACTERS).toWellFormed();
}
