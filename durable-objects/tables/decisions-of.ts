// The permission decisions that an event of the log contains. Pure.
import type { Decision } from "../../protocol/permission/contract.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";

/** One for each call that was decided, in the event's order; empty for most events. */
export function decisionsOf(event: LoggedEvent): readonly Decision[] {
  switch (event.type) {
    case "TOOL_RESULT_START": {
      const decision = recordOf(event.metadata, "decision");
      if (!decision) return [];
      const { behavior, reason, rule } = decision as Partial<Decision>;
      const { tool_call_id, tool_call_name: tool_name } = event;
      return [
        {
          ...byPlatform(event),
          tool_call_id,
          tool_name,
          behavior: behavior ?? "deny",
          reason: reason ?? null,
          rule: rule ?? null,
        },
      ];
    }
    case "REQUIRE_USER_CONFIRM":
      return event.tool_calls.map(({ id, name }) => ({
        ...byPlatform(event),
        tool_call_id: id,
        tool_name: name,
        behavior: "ask",
        reason: textOf(event.metadata, "reasons", id),
        rule: (recordOf(event.metadata, "rules")?.[id] as PermissionRule | null) ?? null,
      }));
    case "USER_CONFIRM_RESULT": {
      const decided_by = recordOf(event.metadata, "decided_by") as Decision["decided_by"] | null;
      return event.confirm_results.map(({ confirmed, tool_call, reason }) => ({
        ...byPlatform(event),
        ...(decided_by && { decided_by }),
        tool_call_id: tool_call.id,
        tool_name: tool_call.name,
        behavior: confirmed ? "allow" : "deny",
        // Events of before the entry's own member have it in the metadata.
        reason: reason ?? textOf(event.metadata, "reasons", tool_call.id),
        rule: null,
      }));
    }
    default:
      return [];
  }
}

/** Whether the platform allowed the call without asking: by far the most decisions. */
export function isAutomatic({ behavior, decided_by }: Decision): boolean {
  return behavior === "allow" && decided_by.kind === "platform";
}

function byPlatform({
  seq,
  created_at,
  ...event
}: LoggedEvent): Pick<Decision, "seq" | "reply_id" | "decided_by" | "edited_input" | "decided_at"> {
  return {
    seq,
    reply_id: event.reply_id ?? "",
    decided_by: { kind: "platform", id: null },
    edited_input: null,
    decided_at: created_at,
  };
}

function recordOf(parent: unknown, name: string): Readonly<Record<string, unknown>> | null {
  if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, name)) return null;
  const value = (parent as Record<string, unknown>)[name];
  return typeof value === "object" ? (value as Record<string, unknown>) : null;
}

function textOf(metadata: unknown, name: string, id: string): string | null {
  const value = recordOf(metadata, name)?.[id];
  return typeof value === "string" ? value : null;
}
