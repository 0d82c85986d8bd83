import type { Agent, Confirmation } from "../../../sdk/index.ts";

/** The newest schema of a call's tool, for titles and forms; null where it is not known. */
export function inputSchemaOf(
  agent: Agent | undefined,
  { tool_name }: Pick<Confirmation, "tool_name">,
): unknown {
  const tool = agent?.tools.find((one) => "name" in one && one.name === tool_name);
  return tool && "input_schema" in tool ? tool.input_schema : null;
}
