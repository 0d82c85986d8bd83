// An ability as a deployment adds one, through the seam alone: a tool, a hint and a state that is folded from the log.
import { afterAll, beforeAll } from "vitest";

import type { AbilityDefinition, AbilityFold } from "../../../agent/ability.ts";
import { DEPLOYED_ABILITIES } from "../../../tools/deployed-abilities.ts";

const TOOL = {
  name: "note",
  description: "Keeps a note.",
  input_schema: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
  read_only: true,
  concurrency_safe: false,
  idempotent: false,
};

const NOTES: AbilityFold<readonly unknown[]> = {
  name: "notes",
  initial: [],
  reads: ["CUSTOM"],
  advance: (notes, event) =>
    event.type === "CUSTOM" && event.name === "noted" ? [...notes, event.value["text"]] : notes,
};

const NOTES_ABILITY: AbilityDefinition = {
  state: NOTES,
  open: ({ stateOf }) => ({
    name: "notes",
    hint: {
      source: "notes",
      outlivesReply: false,
      text: () => (stateOf(NOTES).length === 0 ? null : `Notes: ${stateOf(NOTES).join(", ")}`),
    },
    tools: {
      kind: "log",
      declare: () => [TOOL],
      settle: ({ input }, { message: { id } }) => ({
        text: "Noted.",
        events: [{ type: "CUSTOM", name: "noted", reply_id: id, value: { ...(input as object) } }],
      }),
    },
  }),
};

/** Every session of a test file has it. */
export function deployNotes(): void {
  const deployed = DEPLOYED_ABILITIES as AbilityDefinition[];
  beforeAll(() => void deployed.push(NOTES_ABILITY));
  afterAll(() => void deployed.splice(deployed.indexOf(NOTES_ABILITY), 1));
}
