// Refusals of OpenAI-compatible endpoints, and the request without what was refused.
import { withReasoning } from "../conversation/unsigned-reasoning.ts";
import { withoutRefusedTool } from "../conversation/refused-tools.ts";
import type { Adaptation } from "../stream/adapted-requests.ts";

/** Mistral (older), Azure with data sources, Bedrock behind Databricks. */
const withoutStreamOptions: Adaptation = ({ words }, { form }) =>
  form.stream_options === undefined && /stream_options/i.test(words)
    ? { stream_options: "left_out" }
    : null;

/** Mistral, its templates behind vLLM and mlx; other limits than the 40 characters that are always kept. */
const withNineLetterIds: Adaptation = ({ words }, { form }) =>
  form.call_ids === undefined &&
  /tool[ _]?calls?[\w[\].\s]{0,20}id|call_id/i.test(words) &&
  /length of 9|a-z, A-Z, 0-9|too long|maximum length|at most \d+|must match|pattern|invalid/i.test(
    words,
  )
    ? { call_ids: "nine" }
    : null;

/** Mistral, and templates of models whose conversations alternate. */
const withAlternatingRoles: Adaptation = ({ words }, { form }) =>
  form.roles === undefined &&
  /unexpected role|expected last role|roles? must alternate|after role ['"`]?tool|alternat\w+ (?:user|between)/i.test(
    words,
  )
    ? { roles: "alternating" }
    : null;

export const CHAT_ADAPTATIONS: readonly Adaptation[] = [
  withoutStreamOptions,
  withReasoning,
  withNineLetterIds,
  withAlternatingRoles,
  withoutRefusedTool,
];

export const RESPONSES_ADAPTATIONS: readonly Adaptation[] = [withReasoning, withoutRefusedTool];
