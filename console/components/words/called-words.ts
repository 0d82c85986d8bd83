import { isRecord, type Members } from "./members.ts";

/** Content of an event about a called agent, in words; null for an event of another name. */
export function wordsOfCalled(name: string, value: unknown): string | null {
  const members = isRecord(value) ? value : {};
  switch (name) {
    case "subagent_call":
      return members["waits"] === false
        ? "The called agent has ended"
        : "An agent was called: the call waits for it";
    case "subagent_event":
      return `${nameIn(members, "agent_name")} ${wordsOfBatch(members)}`;
    case "subagent_require_user_confirm":
      return `${nameIn(members, "worker_agent_name")} ${
        members["event_type"] === "require_external_execution"
          ? "waits for a result"
          : "asks for a permission"
      }${toolsIn(members["event"])}`;
    case "subagent_user_confirm_result": {
      const { tool_call_ids } = members;
      const count = Array.isArray(tool_call_ids) ? tool_call_ids.length : 0;
      return count === 1
        ? "A question of a called agent waits no more"
        : `${count} questions of a called agent wait no more`;
    }
    default:
      return null;
  }
}

function wordsOfBatch({ events, omitted }: Members): string {
  const types = Array.isArray(events)
    ? events.flatMap((event) => (isRecord(event) ? [String(event["type"])] : []))
    : [];
  const left = omitted === true ? ", its words left out" : "";
  return `${types.length === 1 ? "told 1 event" : `told ${types.length} events`}${left}`;
}

function nameIn(members: Members, member: string): string {
  const name = members[member];
  return typeof name === "string" ? name : "A called agent";
}

function toolsIn(event: unknown): string {
  const calls = isRecord(event) ? event["tool_calls"] : undefined;
  const names = Array.isArray(calls)
    ? calls.flatMap((call) => (isRecord(call) ? [String(call["name"])] : []))
    : [];
  return names.length === 0 ? "" : `: ${names.join(", ")}`;
}
