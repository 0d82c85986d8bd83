// The card of an agent of another system: found where its definition says, checked against the keys that it pins, and read.
import type { RemoteAgent } from "../../protocol/a2a/remote-agent.ts";
import type { CardFailure, CardFound, CardPorts } from "./card-source.ts";
import { isSignedBy } from "./card-signature.ts";
import { DEPLOYED_CARDS } from "./deployed-cards.ts";
import { readJsonAnswer, readJsonText } from "./json-answer.ts";
import { findNacosCard } from "./nacos-card.ts";
import { readCard } from "./read-card.ts";
import type { ResolvedCard } from "./resolved-card.ts";

export type CardResolved = { readonly ok: true; readonly card: ResolvedCard } | CardFailure;

const WELL_KNOWN = "/.well-known/agent-card.json";

/** Contract: never rejects, and ends soon after `signal`. Asks each time: who needs a card twice keeps it. */
export async function resolveCard(
  agent: Pick<RemoteAgent, "card" | "pinned_keys">,
  ports: CardPorts,
  signal: AbortSignal,
): Promise<CardResolved> {
  const found = await findCard(agent.card, ports, signal);
  if (!found.ok) return found;
  const { pinned_keys } = agent;
  if (pinned_keys && !(await isSignedBy(found.card, pinned_keys))) {
    const reason = "The agent's card is signed by none of the keys that the definition pins.";
    return { ok: false, kind: "permission_refused", reason };
  }
  const read = readCard(found.card, found.origin);
  if (read.ok) return read;
  return { ok: false, kind: "malformed_answer", reason: `The agent's card ${read.reason}.` };
}

async function findCard(
  source: RemoteAgent["card"],
  ports: CardPorts,
  signal: AbortSignal,
): Promise<CardFound> {
  if ("inline" in source) return within(source.inline);
  if ("url" in source) return fetchCard(source.url, ports, signal);
  if ("nacos" in source) return findNacosCard(source.nacos, ports, signal);
  const { deployedCards = DEPLOYED_CARDS } = ports;
  const deployed = deployedCards.find(({ name }) => name === source.file);
  if (deployed) return within(deployed.card);
  const reason = `This deployment has no card ${source.file}.`;
  return { ok: false, kind: "setup", reason };
}

/** One of the definition or the deployment, within the bounds that fetched ones have. */
function within(card: unknown): CardFound {
  const read = readJsonText(JSON.stringify(card));
  return read.ok
    ? { ok: true, card: read.value, origin: null }
    : { ...read, reason: `The agent's card ${read.reason}.` };
}

/**
 * The card at this address, or the well-known one below it: an address that ends in `.json` is a card's own. Cards are
 * public, so no credential is sent.
 */
async function fetchCard(
  url: string,
  { outgoing }: CardPorts,
  signal: AbortSignal,
): Promise<CardFound> {
  const { origin, pathname, host } = new URL(url);
  const isOwn = pathname.endsWith(".json");
  const first = isOwn ? url : `${origin}${pathname.replace(/\/+$/, "")}${WELL_KNOWN}`;
  const headers = { accept: "application/json" };
  let answer = await readJsonAnswer(outgoing, first, { headers, signal });
  if (!answer.ok && answer.kind === "not_found" && !isOwn && pathname !== "/") {
    answer = await readJsonAnswer(outgoing, url, { headers, signal });
  }
  if (answer.ok) return { ok: true, card: answer.value, origin };
  return { ...answer, reason: `The card at ${host} ${answer.reason}.` };
}
