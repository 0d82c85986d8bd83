// The options of one model call: those of the reply, as far as they still hold.
import type { ModelCallOptions, ToolDeclaration } from "../ports.ts";
import type { ReplyState } from "../state/reply-state.ts";

/**
 * A call that the model has to make is asked for until the reply has made one: asked for in every round, the reply would
 * never end. A tool that is not offered cannot be asked for. Undefined when nothing is left.
 * @param mayCall False when no tool may be called. The tools stay declared: providers refuse a conversation with calls
 *   without them, and their prompt caches begin with them.
 */
export function callOptions(
  { model_options, message }: Pick<ReplyState, "model_options" | "message">,
  tools: readonly ToolDeclaration[],
  mayCall = true,
): ModelCallOptions | undefined {
  if (!model_options) return mayCall ? undefined : { tool_choice: "none" };
  const { model: _model, tool_choice, ...options } = model_options;
  if (!mayCall) return { ...options, tool_choice: "none" };
  const isForcing = tool_choice === "required" || typeof tool_choice === "object";
  const hasCalled = message.content.some(({ type }) => type === "tool_call");
  const isOffered =
    typeof tool_choice !== "object" || tools.some(({ name }) => name === tool_choice.name);
  const holds = tool_choice !== undefined && isOffered && !(isForcing && hasCalled);
  return { ...options, ...(holds && { tool_choice }) };
}
