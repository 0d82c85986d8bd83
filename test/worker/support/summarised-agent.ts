// Agents whose summaries are written by a script: the prompt of the compression is one.

/** The text of every summary. */
export const SUMMARY = "The user has an order.";

const FORM = {
  summary_schema: {
    type: "object",
    properties: { text: { type: "string" } },
    required: ["text"],
  },
  summary_template: "{text}",
  compression_model: { provider: "scripted", name: "writer" },
};

/** A model that answers with a summary. @param script Lines before the answer, such as a pause. */
export function summarising(
  script = "",
  more: object = {},
  text = SUMMARY,
): { readonly context: object } {
  const answer = `/say ${JSON.stringify({ text })}`;
  return { context: { ...FORM, compression_prompt: `${script}\n${answer}`.trim(), ...more } };
}

export const SUMMARISED = summarising();

/** A model whose calls fail with an error of this type. */
export function failingSummary(type: string, more: object = {}): { readonly context: object } {
  return { context: { ...FORM, compression_prompt: `/fail ${type}`, ...more } };
}
