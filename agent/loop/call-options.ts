// The options of one model call: those of the reply, as far as they still hold.
import type { ModelCallOptions, ToolDeclaration } from "../ports.ts";
import type { ReplyState } from "../state/reply-state.ts";

/**
 * A call that the model has to make is asked for until the reply has made one: asked for in every round, the reply would
 * never end. A tool that is not offered cannot be asked for. Undefined when nothing is left.
 */
export function callOptions(
  { model_options, message }: Pick<ReplyState, "model_options" | "message">,
  tools: readonly ToolDeclaration[],
): ModelCallOptions | undefined {
  if (!model_options) return undefined;
  const { model: _model, tool_choice, ...options } = model_options;
  const isForcing = tool_choice === "required" || typeof tool_choice === "object";
  const hasCalled = message.content.some(({ type }) => type === "tool_call");
  const isOffered =
    typeof tool_choice !== "object" || tools.some(({ name }) => name === tool_choice.name);
  const holds = tool_choice !== undefined && isOffered && !(isForcing && hasCalled);
  return { ...options, ...(holds && { tool_choice }) };
}
