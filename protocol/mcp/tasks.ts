// The wire of tasks: the experimental `tasks` of 2025-11-25, and the extension of 2026-07-28.

/** With which clients of the modern era say that they take tasks. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";
/** In the `_meta` of what belongs to a task (2025-11-25). */
export const RELATED_TASK = "io.modelcontextprotocol/related-task";
/** JSON-RPC: invalid parameters. At `tasks/get`: the server has no such task, or none any more. */
export const INVALID_PARAMS = -32_602;
