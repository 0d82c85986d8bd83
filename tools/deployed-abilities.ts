// Abilities of every agent of this deployment. Whoever deploys the platform adds theirs here; docs/architecture.md says
// what one is made of.
import type { AbilityDefinition } from "../agent/ability.ts";

export const DEPLOYED_ABILITIES: readonly AbilityDefinition[] = [];
