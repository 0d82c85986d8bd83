import type { AbilityFold } from "../ability.ts";
import {
  LearnedFormSchema,
  MODEL_FORM_LEARNED,
  MODEL_FORMS,
  type RequestForm,
} from "../../protocol/models/events.ts";
import { MAX_KEPT_FORMS } from "../../protocol/models/limits.ts";

/** By the model's author; the newest are last. */
export type ModelForms = Readonly<Record<string, RequestForm>>;

/** A fork keeps it. An import begins without: its first refusals teach it again. */
export const MODEL_FORMS_FOLD: AbilityFold<ModelForms> = {
  name: MODEL_FORMS,
  initial: {},
  reads: ["CUSTOM"],
  advance(forms, event) {
    if (event.type !== "CUSTOM" || event.name !== MODEL_FORM_LEARNED) return forms;
    const learned = LearnedFormSchema.safeParse(event.value);
    if (!learned.success) return forms;
    const { author, form } = learned.data;
    const others = Object.entries(forms).filter(([name]) => name !== author);
    return Object.fromEntries([...others.slice(1 - MAX_KEPT_FORMS), [author, form]]);
  },
  restore: (_, now) => now,
};
