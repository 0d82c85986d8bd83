// Tells the model which of its tools its endpoint refuses, so that it neither looks for them nor pretends to have used them.
import type { Ability } from "../ability.ts";
import { MODEL_FORMS } from "../../protocol/models/events.ts";
import type { ModelForms } from "./model-forms-fold.ts";

export function modelFormsAbility(read: () => ModelForms): Ability {
  return {
    name: MODEL_FORMS,
    hint: {
      source: MODEL_FORMS,
      outlivesReply: true,
      replacesEarlier: true,
      text() {
        const names = new Set(
          Object.values(read()).flatMap(({ left_out_tools = [] }) => left_out_tools),
        );
        if (names.size === 0) return null;
        return `Not offered, because the model's endpoint refuses the schemas of their inputs: ${[...names].join(", ")}. Do without them, and say so where it matters.`;
      },
    },
  };
}
