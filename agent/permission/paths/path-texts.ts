// The paths of one call in the forms that rules match, each computed once for all rules.
import type { StepBudget } from "../../step-budget.ts";
import type { PathReadings } from "./normalize-path.ts";
import { SubjectTexts } from "../patterns/subject-texts.ts";

interface PathForm {
  readonly texts: SubjectTexts;
  /** The computed forms, by path. */
  readonly forms: ReadonlyMap<string, string>;
}

export class PathTexts {
  readonly #paths: readonly string[];
  readonly budget: StepBudget;
  readonly #forms = new Map<string, PathForm>();
  #plain: SubjectTexts | null = null;

  constructor(readings: readonly PathReadings[], budget: StepBudget) {
    this.#paths = readings.flatMap(({ paths }) => paths);
    this.budget = budget;
  }

  get plain(): SubjectTexts {
    return (this.#plain ??= new SubjectTexts(this.#paths, this.budget));
  }

  /** The paths in lower case, with a prefix and a suffix. */
  between(before: string, after: string): PathForm {
    const key = `${before} ${after}`;
    let form = this.#forms.get(key);
    if (!form) {
      const forms = new Map<string, string>();
      for (const path of this.#paths) {
        this.budget.spend(1 + path.length / 8);
        forms.set(path, `${before}${path}${after}`.toLowerCase());
      }
      form = { texts: new SubjectTexts([...forms.values()], this.budget), forms };
      this.#forms.set(key, form);
    }
    return form;
  }
}
