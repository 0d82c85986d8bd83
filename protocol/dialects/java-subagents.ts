// Agents that a reply has called, as AgentScope for Java tells of them: each is exposed once, and its events are forwarded
// beside the event of the log that has them.
import {
  SUBAGENT_CALL,
  SUBAGENT_EVENT,
  subagentCallOf,
  subagentEventOf,
} from "../agents/events.ts";
import type { SubagentEventValue } from "../agents/events.ts";
import type { EventOf } from "../events.ts";
import { isJsonObject, type JsonObject } from "../json-object.ts";
import { toJavaEvent } from "./to-java-event.ts";

/** The called agents of one reply. */
export class JavaSubagents {
  /** By session: the path of agents that leads to it. */
  readonly #paths = new Map<string, string>();
  readonly #exposed = new Set<string>();
  /** Tool names by session and call. */
  readonly #names = new Map<string, string>();

  /** The events that Java has beside one of the log. @param toolName Of a call of the reply itself. */
  companions(
    { name, value }: EventOf<"CUSTOM">,
    toolName: (callId: string) => string | undefined,
  ): readonly JsonObject[] {
    if (name === SUBAGENT_CALL) {
      const call = subagentCallOf(value);
      return call ? this.#expose(call, toolName(call.tool_call_id)) : [];
    }
    const batch = name === SUBAGENT_EVENT ? subagentEventOf(value) : null;
    return batch ? this.#forward(batch, toolName) : [];
  }

  #forward(
    batch: SubagentEventValue,
    toolName: (callId: string) => string | undefined,
  ): readonly JsonObject[] {
    const { session_id, agent_id, parent_session_id, tool_call_id } = batch;
    const above = this.#paths.get(parent_session_id);
    const source = above === undefined ? agent_id : `${above}/${agent_id}`;
    this.#paths.set(session_id, source);
    const label = this.#names.get(keyOf(parent_session_id, tool_call_id)) ?? toolName(tool_call_id);
    const exposed = this.#expose(batch, label);
    const forwarded = batch.events.map((event): JsonObject => {
      if (event.type === "TOOL_CALL_START" || event.type === "TOOL_RESULT_START") {
        this.#names.set(keyOf(session_id, event.tool_call_id), event.tool_call_name);
      }
      const toolCallName = (id: string) => this.#names.get(keyOf(session_id, id));
      const { id: _, ...told } = toJavaEvent(event, { toolCallName, iterations: 0 });
      const metadata = isJsonObject(told["metadata"]) ? told["metadata"] : {};
      const from = { taskId: session_id, parentSessionId: parent_session_id };
      return { ...told, source, metadata: { ...metadata, ...from } };
    });
    return [...exposed, ...forwarded];
  }

  #expose(
    {
      session_id: sessionId,
      agent_id: agentId,
    }: Pick<SubagentEventValue, "session_id" | "agent_id">,
    label: string | undefined,
  ): readonly JsonObject[] {
    if (this.#exposed.has(sessionId)) return [];
    this.#exposed.add(sessionId);
    const named = label !== undefined && { label };
    return [{ type: "SUBAGENT_EXPOSED", subagentId: sessionId, agentId, sessionId, ...named }];
  }
}

function keyOf(sessionId: string, callId: string): string {
  return `${sessionId} ${callId}`;
}
