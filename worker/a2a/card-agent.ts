import type { Agent } from "../../protocol/agents/contract.ts";
import type { makeCard } from "../../protocol/a2a/make-card.ts";
import type { AppContext } from "../app-env.ts";
import { publicOrigin } from "../requests/public-origin.ts";

export type CardAgent = Parameters<typeof makeCard>[0];

/** The part of an agent that its card shows, with the address of its endpoints. */
export function toCardAgent(
  context: AppContext,
  { id, name, version, a2a }: Pick<Agent, "id" | "name" | "version" | "a2a">,
): CardAgent {
  const base = `${publicOrigin(context)}/v1/agents/${id}/a2a`;
  return { name, version, a2a: a2a ?? { enabled: true }, base };
}
