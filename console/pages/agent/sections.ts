import type { JsonSchema } from "../../components/schema-form/json-schema.ts";

interface Section {
  readonly id: string;
  readonly title: string;
  readonly names: readonly string[];
}

const SECTIONS: readonly Section[] = [
  { id: "basics", title: "Basics", names: ["name", "system_prompt"] },
  { id: "model", title: "Models", names: ["model", "fallback_models", "allowed_models"] },
  { id: "tools", title: "Tools", names: ["tools"] },
  { id: "permission", title: "Permission", names: ["permission", "confirmation_ttl"] },
  {
    id: "limits",
    title: "Limits",
    names: ["max_iters", "on_max_iters", "budget", "on_limit", "on_interrupt", "log_retention"],
  },
  { id: "output", title: "Output and state", names: ["structured_output", "shared_state"] },
  { id: "context", title: "Context", names: ["context"] },
  { id: "memory", title: "Memory", names: ["memory"] },
  { id: "voice", title: "Voice", names: ["voice"] },
];

/** All members of a definition in sections; those that this release of the page does not know are in the last one. */
export function sectionsOf({ properties = {} }: JsonSchema): readonly Section[] {
  const placed = new Set(SECTIONS.flatMap(({ names }) => names));
  const rest = Object.keys(properties).filter((name) => !placed.has(name));
  return [...SECTIONS, { id: "more", title: "More", names: rest }].filter(({ names }) =>
    names.some((name) => Object.hasOwn(properties, name)),
  );
}
