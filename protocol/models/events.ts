// Lessons of refusals about the requests of a model: the form in which its endpoint takes them.
import * as z from "zod";

/** The ability's name, by which the log's snapshots of its state are known; also the `source` of its hints. */
export const MODEL_FORMS = "model_forms";

/** The `name` of the `CUSTOM` event of a form that an endpoint has just answered; its `value` is a {@link LearnedForm}. */
export const MODEL_FORM_LEARNED = "model_form_learned";

/** The part of a model's unsigned reasoning that is sent back to that model. */
export const SendReasoningSchema = z.enum(["never", "tool_loop", "always"]);
export type SendReasoning = z.infer<typeof SendReasoningSchema>;

/**
 * Differences from the form that the definition and the wire give a request; an empty one changes nothing.
 * @public
 */
export const RequestFormSchema = z.object({
  /** `stream_options` is left out. */
  stream_options: z.literal("left_out").optional(),
  /** Before the definition's `send_reasoning`. */
  send_reasoning: SendReasoningSchema.optional(),
  /** Messages of an assistant without reasoning have a space in its place. */
  missing_reasoning: z.literal("space").optional(),
  /** Ids of calls are nine letters and digits. */
  call_ids: z.literal("nine").optional(),
  /** After results comes the assistant, before the user does; messages of the user in a row are one. */
  roles: z.literal("alternating").optional(),
  /** The names of tools that are not offered, because their schemas are refused. */
  left_out_tools: z.array(z.string().max(256)).max(128).readonly().optional(),
});
export interface RequestForm extends Readonly<z.infer<typeof RequestFormSchema>> {}

export const LearnedFormSchema = z.object({
  /** A hash of endpoint, model and credential: the form is theirs. */
  author: z.string().max(64),
  form: RequestFormSchema,
});
export interface LearnedForm extends Readonly<z.infer<typeof LearnedFormSchema>> {}
