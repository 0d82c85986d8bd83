// Abilities of every agent of this deployment. The operator of a deployment adds them here; docs/architecture.md
// describes how to write one.
import type { AbilityDefinition } from "../agent/ability.ts";

export const DEPLOYED_ABILITIES: readonly AbilityDefinition[] = [];
