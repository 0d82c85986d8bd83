import type { SessionPlan } from "../../../sdk/index.ts";

export type Plan = NonNullable<SessionPlan["plan"]>;
export type Subtask = Plan["subtasks"][number];

/** A step as it is written in the form; the rest of a step that the plan has already is kept. */
export interface StepDraft {
  /** Key for the page alone: a new step has no id yet. */
  readonly key: string;
  readonly step: Subtask | null;
  readonly name: string;
  readonly description: string;
  readonly state: Subtask["state"];
  /** Empty for a step without acceptance. */
  readonly acceptedBy: "" | "model" | "person";
  readonly criteria: string;
}

let drafts = 0;

/** An empty step when left out. */
export function draftOf(step: Subtask | null = null): StepDraft {
  drafts += 1;
  return {
    key: step?.id ?? `new ${drafts}`,
    step,
    name: step?.name ?? "",
    description: step?.description ?? "",
    state: step?.state ?? "todo",
    acceptedBy: step?.acceptance?.kind ?? "",
    criteria: step?.acceptance?.criteria ?? "",
  };
}

/** Members of a step that are sent. */
export function stepOf({ step, name, description, state, acceptedBy, criteria }: StepDraft) {
  const acceptance = acceptedBy === "" ? null : { kind: acceptedBy, criteria };
  // Its outcome was that of a step that is done.
  const outcome = state === "done" ? (step?.outcome ?? null) : null;
  return { ...step, name: name.trim(), description, state, acceptance, outcome };
}

/** The list with the entry moved by one place; the same one at its ends. */
export function moved<Entry>(list: readonly Entry[], index: number, by: -1 | 1): readonly Entry[] {
  const entry = list[index];
  const target = index + by;
  if (entry === undefined || target < 0 || target >= list.length) return list;
  const rest = list.filter((_, at) => at !== index);
  return [...rest.slice(0, target), entry, ...rest.slice(target)];
}
