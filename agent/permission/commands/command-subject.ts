// A command as permission rules match it: by all its names for deny and ask, by the source text of its parts for allow.
import type { StepBudget } from "../../step-budget.ts";
import { listCommandNames, type CommandName } from "./list-command-names.ts";
import type { FullCommand } from "./read-nested-commands.ts";
import { SubjectTexts } from "../patterns/subject-texts.ts";

export interface CommandSubject {
  readonly command: FullCommand;
  readonly names: readonly CommandName[];
  /** Names that are known only in part before run time. */
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
