// Calls of a reply that wait for what works without it: agents, and tasks of servers or of other systems' agents.
import type { EventOf } from "../../../events.ts";
import { MCP_TASK, mcpTaskOf } from "../../../mcp/events.ts";
import { TOOL_PROGRESS } from "../../../tools/events.ts";

export class AwaitingCalls {
  readonly #ids = new Set<string>();

  has(callId: string): boolean {
    return this.#ids.has(callId);
  }

  add(callId: string): void {
    this.#ids.add(callId);
  }

  delete(callId: string): void {
    this.#ids.delete(callId);
  }

  /** @returns Whether the event is about a task. */
  takeTask({ name, value }: EventOf<"CUSTOM">): boolean {
    const task = name === MCP_TASK ? mcpTaskOf(value) : null;
    if (task?.waits === true) this.#ids.add(task.tool_call_id);
    if (task?.waits === false) this.#ids.delete(task.tool_call_id);
    return task !== null;
  }

  /** Takes news of a task that is still waited for, which nobody has to know between two runs. @returns False for others. */
  sleepsThrough(event: EventOf<"CUSTOM">): boolean {
    if (event.name === TOOL_PROGRESS) return true;
    const isWait = event.name === MCP_TASK && mcpTaskOf(event.value)?.waits === true;
    return isWait && this.takeTask(event);
  }
}
