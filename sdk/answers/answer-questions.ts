import type { InputResponses } from "../../protocol/mcp/events.ts";

/**
 * The result that answers what a call asks a person for (`pending[].elicitation`): for `submitToolResults`,
 * `toolResultEvent` and `confirmations.answer`.
 *
 * @param responses One for each of the elicitation's requests, by its key.
 */
export function answerQuestions(responses: InputResponses): { readonly output: string } {
  return { output: JSON.stringify({ responses }) };
}
