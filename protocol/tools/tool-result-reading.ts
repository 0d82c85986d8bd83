/** The tool with which a model reads what was cut off a large tool result; reserved. */
export const READ_TOOL_RESULT_TOOL = "read_tool_result";
