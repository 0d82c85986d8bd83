// An agent's definition as a form edits it, and the change that makes one of another.
import { isJsonObject, type JsonObject } from "../../components/schema-form/json-schema.ts";

/** Members that the platform adds to a definition. */
const PLATFORM_MEMBERS: ReadonlySet<string> = new Set([
  "id",
  "agent_id",
  "version",
  "created_at",
  "updated_at",
  "retired_at",
  "warnings",
]);

/**
 * Meaning of a member that is left out. A change keeps the members that it leaves out, so one that is taken away is
 * set to this.
 */
const MEANING_OF_NONE: Readonly<Record<string, unknown>> = {
  system_prompt: "",
  fallback_models: [],
  allowed_models: [],
  tools: [],
  on_max_iters: "stop",
  on_interrupt: { type: "none" },
  budget: {},
  on_limit: "end",
  confirmation_ttl: 86_400,
  log_retention: null,
  structured_output: null,
  plan: null,
  skills: [],
  memory: null,
  voice: null,
  a2a: null,
  tool_groups: [],
  meta_tool: false,
  hooks: [],
  code_agent: null,
  shared_state: { enabled: false },
  context: {},
  metadata: {},
  permission: { mode: "default", rules: [] },
  max_iters: 20,
};

/** The definition in an agent or in one of its versions. */
export function definitionIn(agent: object): JsonObject {
  return Object.fromEntries(Object.entries(agent).filter(([name]) => !PLATFORM_MEMBERS.has(name)));
}

/** The members that have to be sent so that an agent with the one definition gets the other. */
export function changesBetween(before: JsonObject, after: JsonObject): JsonObject {
  const changed = Object.entries(after).filter(([name, value]) => !isSame(before[name], value));
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const emptied = gone.flatMap((name) =>
    Object.hasOwn(MEANING_OF_NONE, name) && !isSame(before[name], MEANING_OF_NONE[name])
      ? [[name, MEANING_OF_NONE[name]] as const]
      : [],
  );
  return Object.fromEntries([...changed, ...emptied]);
}

/** Whether two JSON values are equal; the order of an object's members does not matter. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    const rest: readonly unknown[] = other;
    return one.length === rest.length && one.every((value, index) => isSame(value, rest[index]));
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}
