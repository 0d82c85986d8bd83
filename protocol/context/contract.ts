// An agent's `context`: the part of a conversation that a model is sent.
import * as z from "zod";

import { DEFAULT_SUMMARY_SCHEMA } from "./default-summary.ts";
import {
  DEFAULT_RESERVE_RATIO,
  DEFAULT_TRIGGER_RATIO,
  MAX_COMPRESSION_PROMPT_CHARACTERS,
  MAX_CONTEXT_IMAGES,
  MAX_CONTEXT_SIZE,
  MAX_KEEP_RECENT,
  MAX_RESERVE_RATIO,
  MAX_SUMMARY_TEMPLATE_CHARACTERS,
  MAX_TOOL_RESULT_TOKENS,
  MAX_TRIGGER_RATIO,
  MIN_CONTEXT_SIZE,
  MIN_TOOL_RESULT_TOKENS,
} from "./limits.ts";
import { readTemplate } from "../words/read-template.ts";
import { didYouMean } from "../words/suggest-name.ts";
import { ModelDefinitionSchema } from "../models/contract.ts";
import { StructuredSchemaSchema } from "../schemas/structured-schema.ts";

/** The source from which the tokens of a context are counted. @public */
export const TokenCounterSchema = z.enum(["provider", "estimate", "chars"]);
export type TokenCounter = z.infer<typeof TokenCounterSchema>;

export const ContextSettingsSchema = z
  .strictObject({
    /** Tokens of one tool result that the model is sent, as estimated; 50,000 when left out. */
    tool_result_limit: z
      .number()
      .int()
      .min(MIN_TOOL_RESULT_TOKENS)
      .max(MAX_TOOL_RESULT_TOKENS)
      .optional(),
    /** Images that the model is sent, the newest ones; 5 when left out. */
    max_images: z.number().int().min(0).max(MAX_CONTEXT_IMAGES).optional(),
    /** The way that tokens are counted; by what the provider reports when left out. */
    token_counter: TokenCounterSchema.optional(),
    /** Tokens that the model can read at once; as its definition or its vendor says when left out. */
    context_size: z.number().int().min(MIN_CONTEXT_SIZE).max(MAX_CONTEXT_SIZE).optional(),
    /** The soft threshold as a part of the window: 0.8 when it and `trigger_threshold` are left out. */
    trigger_ratio: z.number().gt(0).max(MAX_TRIGGER_RATIO).optional(),
    /** The soft threshold in tokens. */
    trigger_threshold: z.number().int().min(1).max(MAX_CONTEXT_SIZE).optional(),
    /** The part of the window that is kept free; the rest is the hard threshold. 0.1 when left out. */
    reserve_ratio: z.number().min(0).max(MAX_RESERVE_RATIO).optional(),
    /** Newest messages that are not summarised when they fit; 3 when left out. */
    keep_recent: z.number().int().min(0).max(MAX_KEEP_RECENT).optional(),
    /** Instructions for the model that writes the summary. */
    compression_prompt: z.string().min(1).max(MAX_COMPRESSION_PROMPT_CHARACTERS).optional(),
    /** JSON Schema of the summary; AgentScope's five texts when left out. */
    summary_schema: StructuredSchemaSchema.optional(),
    /** The text of a summary, with placeholders such as `{next_steps}`. */
    summary_template: z.string().min(1).max(MAX_SUMMARY_TEMPLATE_CHARACTERS).optional(),
    /** The model that writes summaries; the agent's own when left out. */
    compression_model: ModelDefinitionSchema.refine(({ provider }) => provider !== "a2a", {
      message: "an agent of another system gives replies, and writes no summaries",
    }).optional(),
    /** Whether summaries are made; without them older messages are left out when the window is full. */
    compression_enabled: z.boolean().optional(),
    /** Whether the model gets a tool to have its context compressed. */
    compression_tool_enabled: z.boolean().optional(),
  })
  .superRefine(refineThresholds)
  .superRefine(refineTemplate);
export type ContextSettings = z.infer<typeof ContextSettingsSchema>;

type Thresholds = Partial<
  Record<"context_size" | "trigger_ratio" | "trigger_threshold" | "reserve_ratio", number>
>;

/** The soft threshold has to be below the hard one, or a reply would always wait for its summary. */
function refineThresholds(settings: Thresholds, context: z.RefinementCtx): void {
  const { context_size, trigger_ratio, trigger_threshold, reserve_ratio } = settings;
  if (trigger_ratio !== undefined && trigger_threshold !== undefined) {
    const message = "give trigger_ratio or trigger_threshold, not both";
    context.addIssue({ code: "custom", path: ["trigger_threshold"], message });
    return;
  }
  const hard = 1 - (reserve_ratio ?? DEFAULT_RESERVE_RATIO);
  if (trigger_threshold === undefined) {
    const soft = trigger_ratio ?? DEFAULT_TRIGGER_RATIO;
    if (soft < hard - Number.EPSILON) return;
    const path = trigger_ratio === undefined ? "reserve_ratio" : "trigger_ratio";
    const message = `the soft threshold, ${soft} of the window, has to be below the hard one, which the reserve leaves at ${round(hard)}`;
    context.addIssue({ code: "custom", path: [path], message });
  } else if (context_size !== undefined && trigger_threshold >= context_size * hard) {
    const message = `has to be below the hard threshold, which is ${Math.floor(context_size * hard)} tokens: context_size less the reserve`;
    context.addIssue({ code: "custom", path: ["trigger_threshold"], message });
  }
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

interface SummaryForm {
  readonly summary_schema?: Readonly<Record<string, unknown>>;
  readonly summary_template?: string;
}

/** A template names members of the schema, and nothing else. */
function refineTemplate(
  { summary_schema, summary_template }: SummaryForm,
  context: z.RefinementCtx,
) {
  if (summary_template === undefined) return;
  const message = findTemplateProblem(summary_template, summary_schema ?? DEFAULT_SUMMARY_SCHEMA);
  if (message !== null) context.addIssue({ code: "custom", path: ["summary_template"], message });
}

function findTemplateProblem(
  text: string,
  schema: Readonly<Record<string, unknown>>,
): string | null {
  const template = readTemplate(text);
  if (!template.ok) return template.problem;
  const properties: unknown = schema["properties"];
  const names =
    typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  const paths = template.parts.filter((part) => typeof part !== "string");
  if (paths.length === 0) return "has no placeholder, so it would hold nothing of the summary";
  const unknown = paths.find((path) => path.length !== 1 || !names.includes(path[0] ?? ""));
  if (!unknown) return null;
  const name = unknown.join("/");
  return `names {${name}}, which is no property of the summary's schema${didYouMean(name, names)}`;
}
