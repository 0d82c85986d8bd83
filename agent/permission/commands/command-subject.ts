// A command as rules look at it: its names for deny and ask, its parts as they were written for allow.
import type { StepBudget } from "../../step-budget.ts";
import { listCommandNames, type CommandName } from "./list-command-names.ts";
import type { FullCommand } from "./read-nested-commands.ts";
import { SubjectTexts } from "../patterns/subject-texts.ts";

export interface CommandSubject {
  readonly command: FullCommand;
  readonly names: readonly CommandName[];
  /** Those whose words only the run can tell from some place on. */
  readonly openNames: readonly CommandName[];
  readonly nameTexts: SubjectTexts;
  readonly sources: SubjectTexts;
  readonly budget: StepBudget;
}

export function readCommandSubject(command: FullCommand, budget: StepBudget): CommandSubject {
  const names = listCommandNames(command);
  return {
    command,
    names,
    openNames: names.filter(({ known }) => known !== null),
    nameTexts: new SubjectTexts([...new Set(names.map(({ text }) => text))], budget),
    sources: new SubjectTexts(
      command.parts.map(({ source }) => source),
      budget,
    ),
    budget,
  };
}
