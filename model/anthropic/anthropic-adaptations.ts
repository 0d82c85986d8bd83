// Refusals of endpoints of the Messages API, and the request without what was refused.
import { withoutRefusedTool } from "../conversation/refused-tools.ts";
import { withReasoning } from "../conversation/unsigned-reasoning.ts";
import type { Adaptation } from "../stream/adapted-requests.ts";

export const ANTHROPIC_ADAPTATIONS: readonly Adaptation[] = [withReasoning, withoutRefusedTool];
